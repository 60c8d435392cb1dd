/** The settings of one federation's control plane: its options, validated and with their defaults. */
import { isIP } from 'node:net'
import { usage } from '../../core/errors.ts'
import { didYouMean } from '../../core/text.ts'
import { amountsByComponent, checkAmounts, type ResourceSettings, sizes } from './create/resources.ts'
import { defaultVersion, type EngineVersion, engineVersions } from './versions.ts'

export interface Toleration {
  key?: string
  operator: 'Exists' | 'Equal'
  value?: string
  effect?: string
}

export interface EngineSettings {
  expose: 'loadbalancer' | 'nodeport'
  /** The name or address at which users reach the API, if it is not the one that the host reports. */
  advertiseAddress?: string
  apiPort?: number
  ha: boolean
  storage: 'pvc' | 'emptydir'
  storageClass?: string
  storageSize: string
  imageRegistry?: string
  imagePullSecrets: string[]
  tolerations: Toleration[]
  nodeSelector: Record<string, string>
  engine: EngineVersion
  resources: ResourceSettings
  priorityClass?: string
  /** Whether the scheduler queries estimators, which users run themselves. */
  schedulerEstimator: boolean
  // if a record lacks one of the following, the federation works as before the option existed: see `options.ts`
  /** Undefined: root. */
  etcdUser?: EtcdUser
  /** Undefined: off. */
  audit?: Audit
  /** Undefined: cluster. */
  metrics?: Metrics
  /** False: delete the existing policies. Undefined: there never were any. */
  networkPolicy?: boolean
}

export const etcdUsers = ['auto', 'unprivileged', 'root'] as const
export type EtcdUser = (typeof etcdUsers)[number]
export const audits = ['metadata', 'off'] as const
export type Audit = (typeof audits)[number]
export const metricsPlaces = ['local', 'cluster'] as const
export type Metrics = (typeof metricsPlaces)[number]

/** Options by name, from the command line, a file or a record. */
export type GivenOptions = Readonly<Record<string, unknown>>

export function readSettings(given: GivenOptions): EngineSettings {
  const text = (name: string): string | undefined => {
    const value = given[name]
    return value === undefined || value === null || value === '' ? undefined : String(value)
  }
  const list = (name: string): string[] => {
    const value = given[name]
    return value === undefined || value === null ? [] : (Array.isArray(value) ? value : [value]).map(String)
  }
  const expose = oneOf('expose', text('expose') ?? 'loadbalancer', ['loadbalancer', 'nodeport'] as const)
  const storage = oneOf('storage', text('storage') ?? 'pvc', ['pvc', 'emptydir'] as const)
  const address = advertised(text('advertise-address'))
  const port = apiPort(text('api-port'), expose)
  const storageClass = text('storage-class')
  const registry = imageRegistry(text('image-registry')?.replace(/\/+$/, ''))
  if (storage === 'emptydir' && storageClass) {
    throw usage('--storage-class needs --storage pvc, but --storage is emptydir')
  }
  const choice = <T extends string>(name: string, choices: readonly T[]): T | undefined => {
    const value = text(name)
    return value === undefined ? undefined : oneOf(name, value, choices)
  }
  const flag = (name: string): boolean | undefined =>
    given[name] === undefined || given[name] === null ? undefined : String(given[name]) === 'true'
  const etcdUser = choice('etcd-user', etcdUsers)
  const audit = choice('audit', audits)
  const metrics = choice('metrics', metricsPlaces)
  const networkPolicy = flag('network-policy')
  const priorityClass = priorityClassName(text('priority-class'))
  const size = choice('resources', sizes)
  const resources: ResourceSettings = {
    ...(size ? { size } : {}),
    requests: amountsByComponent('requests', list('requests')),
    limits: amountsByComponent('limits', list('limits')),
  }
  checkAmounts(resources)
  return {
    expose,
    storage,
    ha: flag('ha') ?? false,
    ...(address ? { advertiseAddress: address } : {}),
    ...(port ? { apiPort: port } : {}),
    ...(storageClass ? { storageClass } : {}),
    ...(registry ? { imageRegistry: registry } : {}),
    storageSize: quantity(text('storage-size') ?? '5Gi'),
    imagePullSecrets: list('image-pull-secret').map(secretName),
    tolerations: list('toleration').map(toleration),
    nodeSelector: Object.fromEntries(list('node-selector').map(pair)),
    engine: engineVersion(text('engine-version')),
    resources,
    schedulerEstimator: flag('scheduler-estimator') ?? false,
    ...(priorityClass ? { priorityClass } : {}),
    ...(etcdUser ? { etcdUser } : {}),
    ...(audit ? { audit } : {}),
    ...(metrics ? { metrics } : {}),
    ...(networkPolicy === undefined ? {} : { networkPolicy }),
  }
}

function oneOf<T extends string>(name: string, value: string, choices: readonly T[]): T {
  if ((choices as readonly string[]).includes(value)) return value as T
  throw usage(`--${name} must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}, not "${value}"`, {
    hint: didYouMean(value, choices),
  })
}

const isDnsName = (name: string): boolean =>
  /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/.test(name)

/** A DNS name never ends in a number: text that does is a mistyped address, such as 10.0.0.300. */
function advertised(address: string | undefined): string | undefined {
  if (address === undefined || isIP(address)) return address
  if (isDnsName(address) && !/(^|\.)\d+$/.test(address)) return address
  throw usage(`--advertise-address must be an IP address or a DNS name, not "${address}"`, {
    hint: 'without https:// and without a port; the port is --api-port',
  })
}

function apiPort(text: string | undefined, expose: EngineSettings['expose']): number | undefined {
  if (text === undefined) return undefined
  const port = Number(text)
  const [least, most] = expose === 'nodeport' ? [1024, 65535] : [1, 65535]
  if (Number.isInteger(port) && port >= least && port <= most) return port
  throw usage(`--api-port must be a port from ${least} to ${most}, not "${text}"`, {
    hint: expose === 'nodeport' ? 'hosts usually allow 30000 to 32767 for node ports' : undefined,
  })
}

function quantity(text: string): string {
  if (/^[1-9]\d*(\.\d+)?(Ki|Mi|Gi|Ti|k|M|G|T)?$/.test(text)) return text
  throw usage(`--storage-size must be a size like 5Gi, not "${text}"`)
}

/** Checked here because the nodes would report a wrong registry only when they pull. */
function imageRegistry(registry: string | undefined): string | undefined {
  if (registry === undefined || /^([\w.-]+|\[[\da-f:]+\])(:\d+)?(\/[\w.-]+)*$/i.test(registry)) return registry
  throw usage(`--image-registry must be a host with an optional path, not "${registry}"`, {
    hint: 'write it as in an image name, without https://, for example mirror.example.com:5000/karmada',
  })
}

function secretName(name: string): string {
  if (isDnsName(name)) return name
  throw usage(`--image-pull-secret must be the name of a Secret, not "${name}"`)
}

function priorityClassName(name: string | undefined): string | undefined {
  if (name === undefined || isDnsName(name)) return name
  throw usage(`--priority-class must be the name of a PriorityClass, not "${name}"`)
}

function pair(text: string): [string, string] {
  const at = text.indexOf('=')
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)]
  throw usage(`--node-selector must be LABEL=VALUE, not "${text}"`)
}

/** `key` or `key=value`, with an optional `:Effect`; `*` tolerates all taints. */
function toleration(text: string): Toleration {
  const [, key = '', value, effect] =
    /^([^=:]+)(?:=([^:]*))?(?::(NoSchedule|PreferNoSchedule|NoExecute))?$/.exec(text) ?? []
  if (key === '') {
    throw usage(`--toleration must be KEY[=VALUE][:EFFECT], not "${text}"`, {
      hint: 'for example --toleration dedicated=control:NoSchedule',
    })
  }
  return {
    ...(key === '*' ? {} : { key }),
    ...(value === undefined ? { operator: 'Exists' as const } : { operator: 'Equal' as const, value }),
    ...(effect ? { effect } : {}),
  }
}

function engineVersion(text: string | undefined): EngineVersion {
  if (text === undefined) return defaultVersion
  const wanted = text.startsWith('v') ? text : `v${text}`
  const found = engineVersions.find(v => v.version === wanted)
  if (found) return found
  const known = engineVersions.map(v => v.version)
  throw usage(`this driver does not support Karmada ${wanted}`, {
    hint: `supported: ${known.join(', ')}`,
  })
}
