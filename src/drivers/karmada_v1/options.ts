/** Options to settings and back: what is kept in a record can be given again. */
import { usage } from '../../core/errors.ts'
import type { Options } from '../driver-api.ts'
import { amountTexts, resourcesOf } from './create/resources.ts'
import { type EngineSettings, readSettings, type Toleration } from './settings.ts'

/** What a new federation gets where nothing is said. Without an entry in its record, one that stands has none of these. */
const forNew: Options = { 'etcd-user': 'auto', audit: 'metadata', metrics: 'local', resources: 'default' }

/**
 * Only what says something; lists only where there is something in them.
 * @param before the record of a federation that stands. One that an older coe made lacks options that came later: it stays
 * as it is until somebody gives them, so that running its creation again replaces no etcd and limits no component unasked.
 */
export function asOptions(given: Options, before?: Options): Options {
  const settings = readSettings({ ...(before ? {} : forNew), ...withoutGaps(given) })
  if (settings.storageSize !== before?.['storage-size']) refuseTiny(settings.storageSize)
  const all: Record<string, unknown> = {
    expose: settings.expose,
    'advertise-address': settings.advertiseAddress,
    'api-port': settings.apiPort,
    ha: settings.ha || undefined,
    storage: settings.storage,
    'storage-class': settings.storageClass,
    'storage-size': settings.storage === 'pvc' ? settings.storageSize : undefined,
    'image-registry': settings.imageRegistry,
    'image-pull-secret': listed(settings.imagePullSecrets),
    toleration: listed(settings.tolerations.map(tolerationText)),
    'node-selector': listed(Object.entries(settings.nodeSelector).map(([key, value]) => `${key}=${value}`)),
    'engine-version': settings.engine.version,
    resources: settings.resources.size,
    requests: listed(amountTexts(settings.resources.requests)),
    limits: listed(amountTexts(settings.resources.limits)),
    'priority-class': settings.priorityClass,
    'etcd-user': settings.etcdUser,
    audit: settings.audit,
    metrics: settings.metrics,
    'network-policy': settings.networkPolicy,
    'scheduler-estimator': settings.schedulerEstimator || undefined,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

const withoutGaps = (given: Options): Options =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== null && value !== ''))

const listed = (items: string[]): string[] | undefined => (items.length ? items : undefined)

function tolerationText({ key = '*', operator, value, effect }: Toleration): string {
  return `${key}${operator === 'Equal' ? `=${value ?? ''}` : ''}${effect ? `:${effect}` : ''}`
}

/** What etcd stands on cannot be changed under it. */
export function immutableChanges(before: Options, after: Options): Record<string, string> {
  const [old, next] = [readSettings(before), readSettings(after)]
  const reasons: Record<string, string> = {}
  const compare = (option: string, read: (settings: EngineSettings) => unknown, reason: string) => {
    if (read(old) !== read(next)) reasons[option] = reason
  }
  compare('ha', s => s.ha, 'etcd cannot be given more members in this version of coe')
  compare('storage', s => s.storage, "etcd's data would be lost")
  compare('storage-class', s => s.storageClass, "etcd's volume is made already")
  compare('storage-size', s => s.storageSize, "etcd's volume is made already")
  // the other way works: what nobody in particular has written root can read
  if (old.etcdUser !== 'unprivileged' && next.etcdUser === 'unprivileged') {
    reasons['etcd-user'] = "the files on etcd's volume belong to root, and many kinds of storage leave it at that"
  }
  if (old.storage === 'emptydir') {
    const why = "etcd's pod would be replaced, and its data is in it"
    const ofEtcd = (s: EngineSettings) => JSON.stringify(resourcesOf('etcd', s.resources))
    if (ofEtcd(old) !== ofEtcd(next)) {
      const said = ['resources', 'requests', 'limits'].filter(o => `${before[o] ?? ''}` !== `${after[o] ?? ''}`)
      for (const option of said) reasons[option] = why
    }
    compare('priority-class', s => s.priorityClass, why)
    if (next.etcdUser !== 'auto') compare('etcd-user', s => s.etcdUser ?? 'root', why)
  }
  compare('engine-version', s => s.engine.version, 'upgrades are not part of this version of coe')
  return reasons
}

const units: Readonly<Record<string, number>> = {
  ...{ k: 1e3, M: 1e6, G: 1e9, T: 1e12 },
  ...{ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 },
}

/** An empty store of etcd takes as much: its log is made in pieces of 64 MB. */
const leastBytes = 100e6

/** A number alone is bytes to Kubernetes: whoever writes 5 means gigabytes. */
function refuseTiny(size: string): void {
  const [, number = '', unit = ''] = /^([\d.]+)(.*)$/.exec(size) ?? []
  if (Number(number) * (units[unit] ?? 1) >= leastBytes) return
  throw usage(`--storage-size ${size} is ${unit ? '' : `${number} bytes, `}less than etcd needs: 100M is the least`, {
    hint: `did you mean ${number}Gi?`,
  })
}
