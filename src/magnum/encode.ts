/** From requests of the model to Magnum's JSON. A table for each kind of object has Magnum's names of the fields. */
import { stringifyExact } from '../core/exact-json.ts'
import type { Change, LabelChange, PatchOperation } from '../model/change.ts'
import type { RequestBody } from '../openstack/magnum-api/one.ts'

/** The name of the field in Magnum, and how to encode its value if it is not sent as it is. */
export type WireFields<Fields> = {
  readonly [K in keyof Fields]-?: string | readonly [name: string, write: (value: NonNullable<Fields[K]>) => unknown]
}

type AnyFields = Readonly<Record<string, string | readonly [name: string, write: (value: unknown) => unknown]>>

function encoded(wire: AnyFields, field: string, value: unknown): [name: string, value: unknown] {
  const entry = wire[field]
  if (entry === undefined) throw new Error(`field "${field}" has no name on the wire`)
  return typeof entry === 'string' ? [entry, value] : [entry[0], entry[1](value)]
}

/** Sends only fields that have a value: older releases of Magnum refuse fields that they do not know. */
export function encodeBody<Request extends object>(request: Request, wire: WireFields<Request>): RequestBody {
  const values = request as Readonly<Record<string, unknown>>
  const present = Object.keys(wire).filter(field => values[field] !== undefined)
  return Object.fromEntries(present.map(field => encoded(wire as AnyFields, field, values[field])))
}

/** Dictionaries and lists are sent as text: the server accepts no other form in a patch. */
export function encodePatch<Fields extends object>(change: Change<Fields>, wire: WireFields<Fields>): PatchOperation[] {
  const nameOf = (field: string) => encoded(wire as AnyFields, field, '')[0]
  return [
    ...change.patch,
    ...change.unset.map((field): PatchOperation => ({ op: 'remove', path: nameOf(String(field)) })),
    ...Object.entries(change.set).map(([field, wanted]): PatchOperation => {
      const [path, value] = encoded(wire as AnyFields, field, wanted)
      return { op: 'replace', path, value: typeof value === 'object' ? stringifyExact(value) : (value as string) }
    }),
  ]
}

/** One operation for each label; other labels keep their values. */
export const labelOperations = ({ set, unset }: LabelChange): PatchOperation[] => [
  ...Object.entries(set).map(([key, value]): PatchOperation => ({ op: 'add', path: `labels/${key}`, value })),
  ...unset.map((key): PatchOperation => ({ op: 'remove', path: `labels/${key}` })),
]
