/** The settings of a cloud come in layers (file, region, environment, options). This module reads and merges them. */

import { usage } from '../../core/errors.ts'
import { notUtf8 } from '../../core/utf8.ts'
import type { World } from '../../core/world.ts'
import { envOf } from '../paths.ts'
import { isMapping, type KeyPath, type Mapping } from '../yaml/yaml-file.ts'
import type { CloudFlags } from './cloud-choice.ts'
import { at, type CloudEntry } from './cloud-files.ts'
import { cloudOptions, envNameOf, keyOfSpelling } from './cloud-options.ts'
import { loginKind } from './login-kinds.ts'

export interface Setting {
  value: string | boolean
  /** For example `--os-cloud`, `OS_PASSWORD`, `/etc/openstack/clouds.yaml:12 cloud prod`. */
  origin: string
}

/** Dotted key → setting. */
export type Layer = Map<string, Setting>

/** Common spellings of true; openstacksdk accepts only some of them. */
export const isTrue = (value: unknown): boolean => /^(?:true|yes|on|1)$/i.test(String(value))
const isFalse = (value: unknown): boolean => /^(?:false|no|off|0)$/i.test(String(value))

interface Found {
  spelling: string
  value: unknown
  /** In the entry's `auth` mapping rather than in the entry itself. */
  inAuth: boolean
  origin: string
}

/** Of several spellings of one setting, the current one beats the old ones, and the entry itself beats its `auth`. */
function toLayer(found: readonly Found[]): Layer {
  const ranked = found
    .filter(f => f.value !== null && f.value !== undefined && f.value !== '')
    .map(f => {
      const name = f.spelling.replaceAll('-', '_')
      const key = keyOfSpelling.get(name) ?? (f.inAuth ? `auth.${name}` : name)
      const current = key === name || key === `auth.${name}`
      return { ...f, name, key, rank: (current ? 2 : 0) + (f.inAuth ? 0 : 1) }
    })
    .sort((a, b) => a.rank - b.rank)
  const layer: Layer = new Map()
  const has = (name: string) => ranked.find(f => f.name === name && !f.inAuth)
  for (const { key, value, origin } of ranked) {
    if (typeof value === 'string' || typeof value === 'boolean') layer.set(key, { value, origin })
    else if (cloudOptions.some(o => o.key === key)) {
      throw usage(`${key.replace('auth.', '')} must be one value, not a list or mapping (${origin})`)
    }
  }
  layer.delete('verify')
  const insecure = has('insecure')
  const verify = has('verify')
  // insecure wins: it is always set on purpose
  if (insecure && isTrueForSdk(insecure.value)) layer.set('verify', { value: false, origin: insecure.origin })
  else if (verify) {
    const { value, origin } = verify
    if (typeof value === 'boolean' || isTrueForSdk(value)) layer.set('verify', { value: isTrueForSdk(value), origin })
    else if (isFalse(value)) {
      throw usage(
        `verify must be true or false without quotes, or a file of certificates, not "${value}" (${origin})`,
        {
          hint: 'certificates are verified; --insecure turns that off for one run',
        },
      )
    } else if (typeof value === 'string') layer.set('cacert', { value, origin }) // a file to verify with, as in `requests`
  }
  if (insecure && isTrueForSdk(insecure.value)) layer.delete('insecure')
  preferEndpointType(layer)
  return layer
}

/** openstacksdk accepts only the word, in any case: with `1` and a quoted `yes`, certificates are still verified. */
const isTrueForSdk = (value: unknown): boolean => value === true || /^true$/i.test(String(value))

/**
 * The older name beats the newer in all layers of the files: a region's `interface` does not override the cloud's
 * `endpoint_type`.
 */
export function preferEndpointType(layer: Layer): void {
  const older = layer.get('endpoint_type')
  if (older) layer.set('interface', older)
}

export function entryLayer(entry: CloudEntry, inside: KeyPath = [], values: Mapping = entry.values): Layer {
  const found: Found[] = []
  const where = (...keys: string[]) => `${at(entry.file, [...entry.keys, ...inside, ...keys])} ${entry.title}`
  for (const [spelling, value] of Object.entries(values)) {
    if (spelling === 'cloud' || spelling === 'profile' || spelling === 'regions') continue
    if (spelling.replace('-', '_') === 'region_name' && Array.isArray(value)) continue
    if (spelling !== 'auth') found.push({ spelling, value, inAuth: false, origin: where(spelling) })
    else if (isMapping(value)) {
      for (const [k, v] of Object.entries(value)) {
        found.push({ spelling: k, value: v, inAuth: true, origin: where('auth', k) })
      }
    } else if (value !== null) throw usage(`"auth" does not hold keys and values (${where('auth')})`)
  }
  return toLayer(found)
}

/** Variables that count only if OS_CLOUD names the environment (OS_CLOUD=envvars), as in the openstack client. */
const ofNamedEnvironment = ['os-insecure', 'os-verify', 'os-endpoint-type']

/** @param named OS_CLOUD names the environment; otherwise a variable left in a shell must not turn verification off */
export function environmentLayer(world: World, named: boolean): Layer {
  const all = cloudOptions.filter(o => o.key !== 'cloud').flatMap(o => [o.name, ...(o.aliases ?? [])])
  const names = all.filter(name => !ofNamedEnvironment.includes(name))
  if (named) names.push(...ofNamedEnvironment)
  return toLayer(
    names.map(name => {
      const variable = envNameOf(name)
      const value = envOf(world, variable)
      if (value !== undefined && notUtf8(value)) {
        throw usage(`the value of ${variable} is not UTF-8`, { hint: 'save the file that sets it as UTF-8' })
      }
      return { spelling: name.slice('os-'.length), value, inAuth: false, origin: variable }
    }),
  )
}

export function optionLayer(flags: CloudFlags): Layer {
  const names = cloudOptions.filter(o => o.key !== 'cloud').flatMap(o => [o.name, ...(o.aliases ?? [])])
  return toLayer(
    [...names, 'insecure', 'verify'].map(name => ({
      spelling: name.replace(/^os-/, ''),
      value: flags[name],
      inAuth: false,
      origin: `--${name}`,
    })),
  )
}

/** Settings that describe the same thing: one of them in a higher layer replaces all of them in lower layers. */
const sameThing: readonly (readonly string[])[] = [
  ['auth.project_id', 'auth.project_name'],
  ['auth.user_id', 'auth.username'],
  ['auth.user_domain_id', 'auth.user_domain_name'],
  ['auth.project_domain_id', 'auth.project_domain_name'],
  ['auth.domain_id', 'auth.domain_name'],
  ['auth.default_domain_id', 'auth.default_domain_name', 'default_domain'],
  ['auth.application_credential_id', 'auth.application_credential_name'],
  ['interface', 'service_interface'],
  ['region_name', 'service_region_name'],
]

/** A token has one scope: a scope in a higher layer replaces the others. */
const scopes: readonly (readonly string[])[] = [
  ['auth.project_id', 'auth.project_name'],
  ['auth.system_scope'],
  ['auth.trust_id'],
]

/**
 * Other credentials, which a token in a higher layer replaces: a user who gives a token wants it used, or an error
 * about it.
 */
const besidesToken = [
  'auth.password',
  'auth.passcode',
  ...['id', 'name', 'secret'].map(part => `auth.application_credential_${part}`),
]

function preferToken(layer: Layer, lower: Layer): void {
  if (!layer.has('auth.token') || layer.has('auth_type') || layer.has('auth.password')) return
  for (const key of besidesToken) lower.delete(key)
  if (!loginKind(String(lower.get('auth_type')?.value))?.byToken) lower.delete('auth_type')
}

/** Lowest first. */
export function mergeLayers(layers: readonly Layer[]): Layer {
  const merged: Layer = new Map()
  for (const layer of layers) {
    const hasAny = (keys: readonly string[]) => keys.some(k => layer.has(k))
    for (const keys of sameThing) if (hasAny(keys)) for (const k of keys) merged.delete(k)
    const scope = scopes.find(hasAny)
    if (scope) for (const keys of scopes) if (keys !== scope) for (const k of keys) merged.delete(k)
    preferToken(layer, merged)
    for (const [key, setting] of layer) merged.set(key, setting)
  }
  return merged
}

export interface Region {
  name: string
  values: Mapping
  /** Its position, for the origins of its values. */
  inside: KeyPath
}

/** The regions an entry knows: `regions` (names or {name, values}), or `region_name` (one, a list, or the old comma list). */
export function knownRegions({ file, keys, values }: CloudEntry): Region[] {
  const listed = values.regions ?? values.region_name ?? values['region-name']
  if (listed === undefined || listed === null || listed === '') return []
  const items = Array.isArray(listed) ? listed : String(listed).split(',')
  return items.map((item: unknown, index) => {
    if (typeof item === 'string') return { name: item.trim(), values: {}, inside: [] }
    if (isMapping(item) && typeof item.name === 'string' && (item.values == null || isMapping(item.values))) {
      return { name: item.name, values: item.values ?? {}, inside: ['regions', index, 'values'] }
    }
    throw usage(`a region must be a name, or a mapping of name and values (${at(file, [...keys, 'regions', index])})`)
  })
}
