/** From requests of the model to Magnum's JSON: a table for each kind of thing says what its fields are called there. */
import { stringifyExact } from '../core/exact-json.ts'
import type { Change, LabelChange, PatchOperation } from '../model/change.ts'
import type { RequestBody } from '../openstack/magnum-api/one.ts'

/** The name of the field on the wire, and how its value is written where that is not the value itself. */
export type WireFields<Fields> = {
  readonly [K in keyof Fields]-?: string | readonly [name: string, write: (value: NonNullable<Fields[K]>) => unknown]
}

type AnyFields = Readonly<Record<string, string | readonly [name: string, write: (value: unknown) => unknown]>>

function encoded(wire: AnyFields, field: string, value: unknown): [name: string, value: unknown] {
  const entry = wire[field]
  if (entry === undefined) throw new Error(`field "${field}" has no name on the wire`)
  return typeof entry === 'string' ? [entry, value] : [entry[0], entry[1](value)]
}

/** Only what was asked for: each release of Magnum knows some fields more, and refuses those that it does not know. */
export function encodeBody<Request extends object>(request: Request, wire: WireFields<Request>): RequestBody {
  const values = request as Readonly<Record<string, unknown>>
  const given = Object.keys(wire).filter(field => values[field] !== undefined)
  return Object.fromEntries(given.map(field => encoded(wire as AnyFields, field, values[field])))
}

/** Dictionaries and lists go as text: the server takes them no other way in a change. */
export function encodePatch<Fields extends object>(change: Change<Fields>, wire: WireFields<Fields>): PatchOperation[] {
  const nameOf = (field: string) => encoded(wire as AnyFields, field, '')[0]
  return [
    ...change.patch,
    ...change.unset.map((field): PatchOperation => ({ op: 'remove', path: nameOf(String(field)) })),
    ...Object.entries(change.set).map(([field, given]): PatchOperation => {
      const [path, value] = encoded(wire as AnyFields, field, given)
      return { op: 'replace', path, value: typeof value === 'object' ? stringifyExact(value) : (value as string) }
    }),
  ]
}

/** One by one, whatever the others are. */
export const labelOperations = ({ set, unset }: LabelChange): PatchOperation[] => [
  ...Object.entries(set).map(([key, value]): PatchOperation => ({ op: 'add', path: `labels/${key}`, value })),
  ...unset.map((key): PatchOperation => ({ op: 'remove', path: `labels/${key}` })),
]
