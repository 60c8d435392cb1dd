/** Requests for one object: its path segment, and a check that the answer is an object of the kind. */
import { failed, usage } from '../../core/errors.ts'
import { nextStep } from '../../core/next-step.ts'
import { object, type Shape } from '../../core/shape.ts'
import type { Service, ServiceRequest } from '../service.ts'

/** The body of a request, with only the requested fields. */
export type RequestBody = Readonly<Record<string, unknown>>

/**
 * A name or uuid as a path segment. Refuses empty names and dots, which would lead to another path: `clusters/` is the
 * list, and `clusters/..` is above it.
 */
export function segment(ref: string): string {
  if (/^\.{0,2}$/.test(ref)) {
    throw usage(`"${ref}" is neither a name nor a uuid`, {
      hint: ref === '' ? 'is a variable in your script empty?' : 'names begin with a letter',
    })
  }
  return encodeURIComponent(ref)
}

/** An object named `detail` has the path of a list, and other servers may answer anything. */
export async function getOne<T extends { uuid: string }>(
  service: Service,
  kind: string,
  request: ServiceRequest & { expects: Shape },
): Promise<T> {
  const { expects } = request
  const found = await service.json<T>({
    ...request,
    expects: value => anyObject(value) ?? (isOne(value) ? expects(value) : undefined),
  })
  if (isOne(found)) return found
  throw failed(`Magnum's answer to ${request.path} is not a ${kind}`, {
    hint: 'use its uuid',
    next: [nextStep('check whether this is Magnum', 'doctor')],
  })
}

const anyObject = object({})
const isOne = (value: unknown): boolean => typeof (value as { uuid?: unknown }).uuid === 'string'
