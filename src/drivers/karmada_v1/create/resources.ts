/** CPU and memory of each component: three sizes to choose from, and the amounts set for single components. */
import { usage } from '../../../core/errors.ts'
import { didYouMean } from '../../../core/text.ts'
import { type ComponentName, components } from '../names.ts'

export const sizes = ['small', 'default', 'large'] as const
export type Size = (typeof sizes)[number]

export interface Amounts {
  cpu?: string
  memory?: string
}

/** `etcd:cpu=200m,memory=1Gi`, by component. */
export type AmountsByComponent = Partial<Record<ComponentName, Amounts>>

export interface ResourceSettings {
  /** Undefined: requests of the default size and no limits, as in federations that older versions of coe created. */
  size?: Size
  requests: AmountsByComponent
  limits: AmountsByComponent
}

export interface Resources {
  requests: Amounts
  limits?: Amounts
}

type Row = readonly [cpu: string, memory: string, cpuLimit: string, memoryLimit: string]

/** small: a few members, for trials and edge machines. large: hundreds of members. */
const table: Record<Size, Record<ComponentName, Row>> = {
  small: {
    etcd: ['50m', '64Mi', '1', '512Mi'],
    'karmada-apiserver': ['50m', '192Mi', '1', '1Gi'],
    'karmada-aggregated-apiserver': ['20m', '48Mi', '500m', '256Mi'],
    'kube-controller-manager': ['20m', '48Mi', '500m', '256Mi'],
    'karmada-controller-manager': ['20m', '48Mi', '500m', '384Mi'],
    'karmada-scheduler': ['20m', '48Mi', '500m', '256Mi'],
    'karmada-webhook': ['20m', '48Mi', '500m', '256Mi'],
  },
  default: {
    etcd: ['100m', '128Mi', '2', '2Gi'],
    'karmada-apiserver': ['100m', '256Mi', '2', '4Gi'],
    'karmada-aggregated-apiserver': ['50m', '64Mi', '1', '1Gi'],
    'kube-controller-manager': ['50m', '64Mi', '1', '1Gi'],
    'karmada-controller-manager': ['50m', '64Mi', '2', '2Gi'],
    'karmada-scheduler': ['50m', '64Mi', '1', '1Gi'],
    'karmada-webhook': ['50m', '64Mi', '1', '1Gi'],
  },
  large: {
    etcd: ['500m', '1Gi', '4', '8Gi'],
    'karmada-apiserver': ['1', '2Gi', '8', '16Gi'],
    'karmada-aggregated-apiserver': ['200m', '256Mi', '2', '4Gi'],
    'kube-controller-manager': ['200m', '256Mi', '2', '4Gi'],
    'karmada-controller-manager': ['500m', '512Mi', '4', '8Gi'],
    'karmada-scheduler': ['200m', '256Mi', '2', '4Gi'],
    'karmada-webhook': ['100m', '128Mi', '2', '2Gi'],
  },
}

export function resourcesOf(name: ComponentName, { size, requests, limits }: ResourceSettings): Resources {
  const [cpu, memory, cpuLimit, memoryLimit] = table[size ?? 'default'][name]
  const most: Amounts = { ...(size ? { cpu: cpuLimit, memory: memoryLimit } : {}), ...limits[name] }
  const least: Amounts = { cpu, memory, ...requests[name] }
  for (const kind of ['cpu', 'memory'] as const) {
    const [asked, limit] = [least[kind] as string, most[kind]]
    if (limit === undefined || amount(asked) <= amount(limit)) continue
    // an amount that the user set overrides the conflicting amount of the size
    if (requests[name]?.[kind] === undefined) least[kind] = limit
    else most[kind] = asked
  }
  return { requests: least, ...(Object.keys(most).length ? { limits: most } : {}) }
}

/** Parses texts such as `COMPONENT:cpu=AMOUNT,memory=AMOUNT`. */
export function amountsByComponent(option: 'requests' | 'limits', given: readonly string[]): AmountsByComponent {
  const all: AmountsByComponent = {}
  for (const text of given) {
    const colon = text.indexOf(':')
    const name = text.slice(0, colon) as ComponentName
    if (colon < 1 || colon === text.length - 1) throw wrong(option, text)
    if (!components.includes(name)) {
      throw usage(`--${option} names an unknown component: "${name}"`, {
        hint: didYouMean(name, components) ?? `components: ${components.join(', ')}`,
      })
    }
    for (const part of text.slice(colon + 1).split(',')) {
      const [kind = '', value = '', more] = part.split('=')
      if ((kind !== 'cpu' && kind !== 'memory') || more !== undefined || !isAmount(kind, value)) {
        throw wrong(option, text)
      }
      all[name] = { ...all[name], [kind]: value }
    }
  }
  return all
}

const wrong = (option: string, text: string) =>
  usage(`--${option} must be COMPONENT:cpu=AMOUNT,memory=AMOUNT, not "${text}"`, {
    hint: `for example --${option} etcd:cpu=500m,memory=1Gi`,
  })

export function checkAmounts({ requests, limits }: ResourceSettings): void {
  for (const name of components) {
    for (const kind of ['cpu', 'memory'] as const) {
      const [asked, limit] = [requests[name]?.[kind], limits[name]?.[kind]]
      if (asked === undefined || limit === undefined || amount(asked) <= amount(limit)) continue
      throw usage(`--requests for ${name} exceeds --limits: ${kind} ${asked} is more than ${limit}`)
    }
  }
}

export const amountTexts = (all: AmountsByComponent): string[] =>
  Object.entries(all).map(([name, amounts]) => {
    const parts = Object.entries(amounts).map(([kind, value]) => `${kind}=${value}`)
    return `${name}:${parts.join(',')}`
  })

const cpuPattern = /^(\d+m|\d+(\.\d{1,3})?)$/
const memoryPattern = /^\d+(\.\d+)?(Ki|Mi|Gi|Ti|k|M|G|T)$/

const isAmount = (kind: 'cpu' | 'memory', text: string): boolean =>
  (kind === 'cpu' ? cpuPattern : memoryPattern).test(text) && amount(text) > 0

const units: Record<string, number> = {
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
}

/** Cores, or bytes. */
function amount(text: string): number {
  const [, figure = '', unit = ''] = /^([\d.]+)([A-Za-z]*)$/.exec(text) ?? []
  return Number(figure) * (units[unit] ?? 1)
}
