/** The columns of drivers. */
import type { Column, Row } from '../../cli/spec.ts'
import type { DriverOption } from '../../model/driver-option.ts'
import type { DriverDetails, DriverView } from '../../model/drivers.ts'

const joined = (value: unknown): unknown => (Array.isArray(value) ? value.join(', ') : value)

const name: Column = { name: 'name', type: 'string', help: 'name, with its generation', nullable: false }
const version: Column = { name: 'version', type: 'string', help: 'version of the driver; null if it was not loaded' }
const provides: Column = {
  name: 'provides',
  type: 'array',
  help: 'federations, clusters, or both',
  nullable: false,
  text: joined,
}
const source: Column = { name: 'source', type: 'string', help: 'built-in, folder or package', nullable: false }
const state: Column = { name: 'state', type: 'string', help: 'enabled, disabled or failed', nullable: false }
const error: Column = { name: 'error', type: 'string', help: 'why it failed' }
const location: Column = { name: 'location', type: 'string', help: 'folder that it was loaded from; null if built in' }
const title: Column = { name: 'title', type: 'string', help: 'what it is' }

export const driverListColumns: readonly Column[] = [
  name,
  version,
  provides,
  source,
  state,
  error,
  { ...title, long: true },
]

export const driverShowColumns: readonly Column[] = [
  name,
  version,
  title,
  provides,
  state,
  error,
  { name: 'hint', type: 'string', help: 'what to do about the error' },
  source,
  location,
  { name: 'prefix', type: 'string', help: "prefix of its clusters' names, as in magnum:prod" },
  {
    name: 'engine_versions',
    type: 'array',
    help: 'releases of its engine that it can install; the first is the default',
    nullable: false,
    text: joined,
  },
  {
    name: 'options',
    type: 'array',
    help: 'options that it adds to commands, as data',
    nullable: false,
    text: value => (value as DriverOption[]).map(optionText).join('\n'),
  },
  { name: 'notes', type: 'string', help: 'further notes' },
]

const optionText = ({ name, type, value, choices, doc, fallback }: DriverOption): string => {
  const argument = type === 'flag' ? '' : ` ${choices?.join('|') ?? value ?? type.toUpperCase()}`
  return `--${name}${argument}: ${doc}${fallback === undefined ? '' : ` (default: ${fallback})`}`
}

export const driverRow = (driver: DriverView): Row => ({ ...driver })

export const driverDetailRow = ({ engineVersions, ...driver }: DriverDetails): Row => ({
  ...driver,
  engine_versions: engineVersions,
})
