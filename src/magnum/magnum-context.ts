/** What every noun of this backend stands on. */
import { CoeError } from '../core/errors.ts'
import type { Clock } from '../core/world.ts'
import type { CloudSession } from '../openstack/session.ts'

export interface MagnumContext {
  readonly session: CloudSession
  readonly clock: Clock
  readonly where: string
}

/** A 404 for a name: says where it was looked for. Other errors pass. */
export function notHere(error: unknown, kind: string, ref: string, where: string, near?: string): unknown {
  if (!(error instanceof CoeError) || error.outcome !== 'notFound') return error
  return new CoeError('notFound', `no ${kind} "${ref}" in ${where}`, {
    hint: near,
    cause: error,
    details: error.details,
  })
}
