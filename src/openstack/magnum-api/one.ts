/** One thing of a kind: its place in an address, and an answer that is indeed about it. */
import { failed, usage } from '../../core/errors.ts'
import { object, type Shape } from '../../core/shape.ts'
import type { Call, Service } from '../service.ts'

/** Of a request: only the fields that were asked for. */
export type RequestBody = Readonly<Record<string, unknown>>

/**
 * A name or uuid as a part of an address. Nothing and dots would lead to another address altogether: `clusters/` is the
 * list, and `clusters/..` is above it.
 */
export function segment(ref: string): string {
  if (/^\.{0,2}$/.test(ref)) {
    throw usage(`"${ref}" is no name and no uuid`, {
      hint: ref === '' ? 'is a variable of the script empty?' : 'names begin with a letter',
    })
  }
  return encodeURIComponent(ref)
}

/** Something called `detail` has the address of a list; and other servers answer other things. */
export async function getOne<T extends { uuid: string }>(
  service: Service,
  kind: string,
  call: Call & { expects: Shape },
): Promise<T> {
  const { expects } = call
  const found = await service.json<T>({
    ...call,
    expects: value => anyObject(value) ?? (isOne(value) ? expects(value) : undefined),
  })
  if (isOne(found)) return found
  throw failed(`Magnum answered ${call.path} with something that is no ${kind}`, {
    hint: 'name it by its uuid; "coe doctor" tells whether this is Magnum at all',
  })
}

const anyObject = object({})
const isOne = (value: unknown): boolean => typeof (value as { uuid?: unknown }).uuid === 'string'
