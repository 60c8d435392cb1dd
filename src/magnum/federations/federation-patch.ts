/** The one PATCH that joins or unjoins one cluster. */
import { CoeError, notFound } from '../../core/errors.ts'
import { answerLost } from '../../core/failed-request.ts'
import type { Federation } from '../../model/federation.ts'
import { getFederation, patchFederation } from '../../openstack/magnum-api/federations.ts'
import type { JsonPatch } from '../../openstack/magnum-api/json-patch.ts'
import type { Service } from '../../openstack/service.ts'

export type Verb = 'join' | 'unjoin'

/** @param known Magnum lists this cluster. Returns when the change is in progress or already made. */
export async function sendMembership(
  service: Service,
  verb: Verb,
  federation: Federation,
  uuid: string,
  known: boolean,
): Promise<void> {
  if (!known) return byIndex(service, federation, uuid)
  const operation = { op: verb === 'join' ? 'add' : 'remove', path: '/member_ids', value: uuid } as const
  try {
    await patchFederation(service, federation.uuid, [operation])
  } catch (error) {
    // another client made the same change, or the answer was lost: the caller's wait checks the result
    if (answerLost(error) || isDoneAlready(verb, error)) return
    if (!isNoCluster(error)) throw error
    // an administrator sees the clusters of all projects, but a federation belongs to one
    if (verb === 'unjoin') return byIndex(service, federation, uuid)
    throw notFound((error as CoeError).message, {
      hint: 'it was just deleted, or it belongs to another project than the federation, which accepts only clusters of its own',
      cause: error,
      details: (error as CoeError).details,
    })
  }
}

/**
 * The only way to remove a member whose cluster Magnum does not find. The index is read right before, and is never left
 * out: a remove without it would drop all members.
 */
async function byIndex(service: Service, federation: Federation, uuid: string): Promise<void> {
  const now = await getFederation(service, federation.uuid)
  const index = (now.member_ids ?? []).indexOf(uuid)
  if (index < 0) return // it has left meanwhile
  const patch: JsonPatch = [{ op: 'remove', path: `/member_ids/${index}` }]
  await patchFederation(service, federation.uuid, patch).catch((error: unknown) => {
    if (!answerLost(error)) throw error
  })
}

const says = (error: unknown, status: number, reason: RegExp): boolean =>
  error instanceof CoeError && error.details.status === status && reason.test(String(error.details.reason))

const isNoCluster = (error: unknown): boolean => says(error, 404, /^Cluster .* could not be found/)

const isDoneAlready = (verb: Verb, error: unknown): boolean =>
  verb === 'join' ? says(error, 409, /already a member/) : says(error, 404, /not a member/)
