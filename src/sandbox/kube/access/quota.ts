/** Admission of pods by the limits of their namespace: LimitRanges, PriorityClasses, ResourceQuotas. */
import type { ControlPlane } from '../control-plane.ts'
import { forbidden } from '../failure.ts'
import type { Json, KubeObject } from '../object.ts'

type Part = 'requests' | 'limits'
const pods = { plural: 'pods', group: '', kind: 'Pod' }
const measured = ['cpu', 'memory'] as const

/** Changes the pod, as LimitRanges do, or throws. */
export function admitPod(plane: ControlPlane, pod: KubeObject): void {
  const refuse = (why: string) => forbidden(pods, pod.metadata.name, why)
  const ranges = plane.store.list('limitranges', pod.metadata.namespace)
  const limits = ranges.flatMap(range => range.spec?.limits ?? []).filter((l: Json) => l.type === 'Container')
  for (const limit of limits) {
    const wrong = pod.spec.containers.flatMap((container: Json) => limitContainer(container, limit))
    if (wrong.length) throw refuse(wrong.length > 1 ? `[${wrong.join(', ')}]` : wrong[0])
  }
  const { priorityClassName } = pod.spec
  if (priorityClassName && !plane.store.get('priorityclasses.scheduling.k8s.io', undefined, priorityClassName)) {
    throw refuse(`no PriorityClass with name ${priorityClassName} was found`)
  }
  for (const quota of plane.store.list('resourcequotas', pod.metadata.namespace)) {
    const why = quotaProblem(plane, quota, pod)
    if (why) throw refuse(why)
  }
}

function limitContainer(container: Json, limit: Json): string[] {
  const resources = container.resources ?? {}
  container.resources = {
    ...resources,
    limits: { ...limit.default, ...resources.limits },
    requests: { ...(limit.defaultRequest ?? limit.default), ...resources.requests },
  }
  return measured.flatMap(kind => {
    const [most, has] = [limit.max?.[kind], container.resources.limits[kind]]
    if (!most || (has && amount(has) <= amount(most))) return []
    return [
      `maximum ${kind} usage per Container is ${most}${has ? `, but limit is ${has}` : '. No limit is specified'}`,
    ]
  })
}

function quotaProblem(plane: ControlPlane, quota: KubeObject, pod: KubeObject): string | undefined {
  const hard: Record<string, string> = quota.spec?.hard ?? {}
  const { name, namespace } = quota.metadata
  const lacking = Object.keys(hard).flatMap(resource => {
    const [part, kind] = partOf(resource)
    if (!kind) return []
    const without = pod.spec.containers.filter((c: Json) => !c.resources?.[part]?.[kind]).map((c: Json) => c.name)
    return without.length ? [`${resource} for: ${without.join(',')}`] : []
  })
  if (lacking.length) return `failed quota: ${name}: must specify ${lacking.sort().join('; ')}`
  const others = plane.store
    .list('pods', namespace)
    .filter(other => !['Succeeded', 'Failed'].includes(other.status?.phase) && !other.metadata.deletionTimestamp)
  const over = Object.entries(hard).flatMap(([resource, most]) => {
    const used = others.reduce((sum, other) => sum + usage(other, resource), 0)
    const more = usage(pod, resource)
    return used + more > amount(most) ? [{ resource, used: text(used), more: text(more), most }] : []
  })
  if (over.length === 0) return undefined
  const say = (figure: 'used' | 'more' | 'most') => over.map(o => `${o.resource}=${o[figure]}`).join(',')
  return `exceeded quota: ${name}, requested: ${say('more')}, used: ${say('used')}, limited: ${say('most')}`
}

function partOf(resource: string): [Part, (typeof measured)[number] | undefined] {
  const kind = measured.find(one => resource === one || resource.endsWith(`.${one}`))
  return [resource.startsWith('limits.') ? 'limits' : 'requests', kind]
}

function usage(pod: KubeObject, resource: string): number {
  if (resource === 'pods') return 1
  const [part, kind] = partOf(resource)
  if (!kind) return 0
  return pod.spec.containers.reduce((sum: number, c: Json) => sum + amount(c.resources?.[part]?.[kind] ?? '0'), 0)
}

const units: Record<string, number> = { m: 1e-3, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, k: 1e3, M: 1e6, G: 1e9 }

function amount(given: Json): number {
  const [, figure = '0', unit = ''] = /^([\d.]+)([A-Za-z]*)$/.exec(String(given)) ?? []
  return Number(figure) * (units[unit] ?? 1)
}

/** Quantities as in these messages: integers unchanged, fractions of a core in thousandths. */
function text(value: number): string {
  if (!Number.isInteger(value)) return `${Math.round(value * 1000)}m`
  const unit = (['Gi', 'Mi', 'Ki'] as const).find(u => value > 0 && value % (units[u] as number) === 0)
  return unit ? `${value / (units[unit] as number)}${unit}` : String(value)
}
