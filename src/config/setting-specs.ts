/** The settings of coe's own config.yaml as data, for the loader, `coe config view` and the docs. */

export interface SettingSpec {
  /** Dotted: `federation.dns_zone` is `dns_zone` under `federation`. */
  readonly key: string
  readonly type: 'text' | 'boolean' | 'duration' | 'list' | 'choice'
  readonly choices?: readonly string[]
  readonly doc: string
  readonly env?: string
  /** Long option that overrides it for one run. */
  readonly flag?: string
  /** Durations in milliseconds. */
  readonly fallback?: string | boolean | number | readonly string[]
  /** Never shown, because an address can contain a token. */
  readonly secret?: boolean
}

export const settingSpecs = [
  {
    key: 'mode',
    type: 'choice',
    choices: ['magnum', 'standalone'],
    doc: 'where coe looks for federations and clusters; by default magnum where a cloud is configured, else standalone',
    env: 'COE_MODE',
  },
  {
    key: 'cloud',
    type: 'text',
    doc: 'cloud of clouds.yaml to use when neither --os-cloud nor the environment names one',
  },
  {
    key: 'color',
    type: 'choice',
    choices: ['auto', 'always', 'never'],
    doc: 'colour on a terminal; NO_COLOR turns it off',
    env: 'COE_COLOR',
    flag: 'color',
    fallback: 'auto',
  },
  {
    key: 'wait_timeout',
    type: 'duration',
    doc: 'how long --wait waits before it gives up',
    env: 'COE_WAIT_TIMEOUT',
    flag: 'wait-timeout',
    fallback: 3_600_000,
  },
  {
    key: 'request_timeout',
    type: 'duration',
    doc: 'how long one request to a Kubernetes API server may take',
    env: 'COE_REQUEST_TIMEOUT',
    fallback: 40_000,
  },
  {
    key: 'token_cache',
    type: 'boolean',
    doc: 'keep Keystone tokens between runs, in a file that only you can read',
    env: 'COE_TOKEN_CACHE',
    fallback: true,
  },
  {
    key: 'guard',
    type: 'choice',
    choices: ['lenient', 'strict'],
    doc: 'what "cluster delete" does where it cannot check whether a federation needs the cluster: ask at a terminal and warn elsewhere (lenient), or refuse (strict)',
    env: 'COE_GUARD',
    fallback: 'lenient',
  },
  { key: 'federation.dns_zone', type: 'text', doc: 'default DNS zone of new federations' },
  { key: 'drivers.folders', type: 'list', doc: 'folders with drivers that do not come with coe', fallback: [] },
  { key: 'drivers.enabled', type: 'list', doc: 'use only these drivers; default: all' },
  { key: 'drivers.disabled', type: 'list', doc: 'drivers that are not used', fallback: [] },
  {
    key: 'notifications.webhook',
    type: 'text',
    doc: 'address that gets a CloudEvent at the start and end of each change',
    env: 'COE_WEBHOOK',
    secret: true,
  },
  {
    key: 'assets',
    type: 'text',
    doc: 'folder with the files that engines need, where there is no internet',
    env: 'COE_ASSETS',
  },
] as const satisfies readonly SettingSpec[]

type Spec = (typeof settingSpecs)[number]
export type SettingKey = Spec['key']
type SpecOf<K extends SettingKey> = Extract<Spec, { key: K }>

type Plain<S extends SettingSpec> = S extends { choices: readonly (infer C)[] }
  ? C
  : S['type'] extends 'boolean'
    ? boolean
    : S['type'] extends 'duration'
      ? number
      : S['type'] extends 'list'
        ? readonly string[]
        : string

export type SettingValue<K extends SettingKey> =
  | Plain<SpecOf<K>>
  | ('fallback' extends keyof SpecOf<K> ? never : undefined)
