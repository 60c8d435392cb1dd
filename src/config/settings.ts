/** coe's own settings with their origins. Precedence: option, environment, config.yaml, default. */
import { join } from 'node:path'
import { CoeError, usage } from '../core/errors.ts'
import { didYouMean } from '../core/text.ts'
import { parseDuration } from '../core/time.ts'
import type { World } from '../core/world.ts'
import { coePaths, envOf, userPath } from './paths.ts'
import { type SettingKey, type SettingSpec, type SettingValue, settingSpecs } from './setting-specs.ts'
import { isMapping, type KeyPath, type Mapping, readYamlFile, type YamlFile } from './yaml/yaml-file.ts'

export type { SettingKey, SettingSpec, SettingValue } from './setting-specs.ts'
export { settingSpecs } from './setting-specs.ts'

export interface Sourced<T> {
  readonly value: T
  /** For example `--color`, `COE_MODE`, `/home/me/.config/coe/config.yaml:3`, `default`. */
  readonly origin: string
  readonly source: 'option' | 'environment' | 'file' | 'default'
}

export interface Settings {
  get<K extends SettingKey>(key: K): Sourced<SettingValue<K>>
  all(): { spec: SettingSpec; setting: Sourced<unknown> }[]
  /** The path of config.yaml, whether it exists or not; undefined without a home. */
  readonly file: string | undefined
  /** For stderr: unknown keys. */
  readonly warnings: readonly string[]
}

/** Options by their long names; `undefined` if not given. */
export type Flags = Readonly<Record<string, unknown>>

export async function loadSettings(world: World, flags: Flags = {}): Promise<Settings> {
  const { path, file } = await readConfig(world)
  const values = new Map<string, Sourced<unknown>>()
  for (const spec of settingSpecs) values.set(spec.key, resolve(spec, world, flags, file))
  return {
    get: key => values.get(key) as never,
    all: () => settingSpecs.map(spec => ({ spec, setting: values.get(spec.key) as Sourced<unknown> })),
    file: path,
    warnings: file ? unknownKeys(file) : [],
  }
}

async function readConfig(world: World): Promise<{ path: string | undefined; file?: YamlFile }> {
  const named = envOf(world, 'COE_CONFIG')
  const folder = coePaths(world).config
  const path = named ? userPath(named, world) : folder && join(folder, 'config.yaml')
  if (path === undefined) return { path }
  try {
    return { path, file: await readYamlFile(path, 'configuration') }
  } catch (error) {
    // only a file named by the user must exist
    if (!named && error instanceof CoeError && error.outcome === 'notFound') return { path }
    throw error
  }
}

function resolve(spec: SettingSpec, world: World, flags: Flags, file: YamlFile | undefined): Sourced<unknown> {
  if (spec.key === 'mode' && flags.standalone === true) {
    return { value: 'standalone', origin: '--standalone', source: 'option' }
  }
  const flag = spec.flag === undefined ? undefined : flags[spec.flag]
  if (flag !== undefined) {
    const origin = `--${spec.flag}`
    return { value: typeof flag === 'string' ? parse(spec, flag, origin) : flag, origin, source: 'option' }
  }
  const variable = spec.env && envOf(world, spec.env)
  if (spec.env && variable) return { value: parse(spec, variable, spec.env), origin: spec.env, source: 'environment' }
  if (spec.key === 'color' && envOf(world, 'NO_COLOR')) {
    return { value: 'never', origin: 'NO_COLOR', source: 'environment' }
  }
  const keys = spec.key.split('.')
  const written = file && valueAt(file.data, keys)
  if (file && written !== undefined && written !== null) {
    const origin = `${file.path}:${file.lineOf(keys)}`
    return { value: parse(spec, written, origin), origin, source: 'file' }
  }
  return { value: spec.fallback, origin: 'default', source: 'default' }
}

function valueAt(data: Mapping, keys: readonly string[]): unknown {
  let value: unknown = data
  for (const key of keys) value = isMapping(value) ? value[key] : undefined
  return value
}

function parse(spec: SettingSpec, raw: unknown, origin: string): unknown {
  const wrong = (wanted: string) =>
    usage(`${spec.key} must be ${wanted}${spec.secret || typeof raw !== 'string' ? '' : `, not "${raw}"`} (${origin})`)
  switch (spec.type) {
    case 'boolean':
      if (raw === true || /^(?:true|yes|on|1)$/i.test(String(raw))) return true
      if (raw === false || /^(?:false|no|off|0)$/i.test(String(raw))) return false
      throw wrong('true or false')
    case 'duration': {
      const ms = typeof raw === 'string' ? parseDuration(raw) : undefined
      if (ms === undefined) throw wrong('a duration like 90s or 1h30m')
      return ms
    }
    case 'list':
      if (typeof raw === 'string') return raw.split(',').flatMap(item => item.trim() || [])
      if (Array.isArray(raw) && raw.every(item => typeof item === 'string')) return raw
      throw wrong('a list')
    case 'choice':
      if (typeof raw === 'string' && spec.choices?.includes(raw)) return raw
      throw wrong(`one of ${spec.choices?.join(', ')}`)
    default:
      if (typeof raw === 'string' && raw !== '') return raw
      throw wrong('a non-empty string')
  }
}

function unknownKeys(file: YamlFile): string[] {
  const known = settingSpecs.map(s => s.key as string)
  const warnings: string[] = []
  const visit = (mapping: Mapping, above: readonly string[]) => {
    for (const [name, value] of Object.entries(mapping)) {
      const path: KeyPath = [...above, name]
      const key = path.join('.')
      const isSection = known.some(k => k.startsWith(`${key}.`))
      if (known.includes(key) || (isSection && value === null)) continue
      if (isSection && isMapping(value)) visit(value, path as string[])
      else {
        // a known key may be in the wrong section, so its last word is a candidate too
        const moved = known.filter(k => k.split('.').at(-1) === name)
        const near = moved[0] ? `did you mean "${moved[0]}"?` : didYouMean(key, known)
        warnings.push(`${file.path}:${file.lineOf(path)}: "${key}" is not a setting of coe${near ? `; ${near}` : ''}`)
      }
    }
  }
  visit(file.data, [])
  return warnings
}
