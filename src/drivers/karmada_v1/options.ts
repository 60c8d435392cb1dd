/** Converts between options and settings. The options in a record are valid input again. */
import { usage } from '../../core/errors.ts'
import type { Options } from '../driver-api.ts'
import { amountTexts, resourcesOf } from './create/resources.ts'
import { type EngineSettings, readSettings, type Toleration } from './settings.ts'

/** Defaults for new federations only. An existing federation whose record lacks one of these options does not have it. */
const forNew: Options = { 'etcd-user': 'auto', audit: 'metadata', metrics: 'local', resources: 'default' }

/**
 * The options to record, without undefined values and empty lists.
 * @param before the recorded options of an existing federation. If an older coe made it, the record lacks newer options. They stay
 * unset until the user sets them, so that repeating its creation does not replace etcd or limit components unexpectedly.
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

/** Mostly options of etcd, whose storage and members cannot change while it runs. */
export function immutableChanges(before: Options, after: Options): Record<string, string> {
  const [old, next] = [readSettings(before), readSettings(after)]
  const reasons: Record<string, string> = {}
  const compare = (option: string, read: (settings: EngineSettings) => unknown, reason: string) => {
    if (read(old) !== read(next)) reasons[option] = reason
  }
  compare('ha', s => s.ha, 'this version of coe cannot change the number of etcd members')
  compare('storage', s => s.storage, "etcd's data would be lost")
  compare('storage-class', s => s.storageClass, "etcd's volume already exists")
  compare('storage-size', s => s.storageSize, "etcd's volume already exists")
  // the opposite change works: root can read the files of any user
  if (old.etcdUser !== 'unprivileged' && next.etcdUser === 'unprivileged') {
    reasons['etcd-user'] = "the files on etcd's volume belong to root, and many kinds of storage do not change that"
  }
  if (old.storage === 'emptydir') {
    const why = "etcd's pod would be replaced, and it contains the data"
    const ofEtcd = (s: EngineSettings) => JSON.stringify(resourcesOf('etcd', s.resources))
    if (ofEtcd(old) !== ofEtcd(next)) {
      const changed = ['resources', 'requests', 'limits'].filter(o => `${before[o] ?? ''}` !== `${after[o] ?? ''}`)
      for (const option of changed) reasons[option] = why
    }
    compare('priority-class', s => s.priorityClass, why)
    if (next.etcdUser !== 'auto') compare('etcd-user', s => s.etcdUser ?? 'root', why)
  }
  compare('engine-version', s => s.engine.version, 'this version of coe cannot upgrade federations')
  return reasons
}

const units: Readonly<Record<string, number>> = {
  ...{ k: 1e3, M: 1e6, G: 1e9, T: 1e12 },
  ...{ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 },
}

/** The space that an empty etcd needs: it allocates its log in pieces of 64 MB. */
const leastBytes = 100e6

/** Kubernetes reads a number without a unit as bytes, but a user who writes 5 means gigabytes. */
function refuseTiny(size: string): void {
  const [, number = '', unit = ''] = /^([\d.]+)(.*)$/.exec(size) ?? []
  if (Number(number) * (units[unit] ?? 1) >= leastBytes) return
  throw usage(`--storage-size ${size} is ${unit ? '' : `${number} bytes, `}less than etcd needs: 100M is the least`, {
    hint: `did you mean ${number}Gi?`,
  })
}
