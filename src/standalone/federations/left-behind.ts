/** After an unjoin by force: what is still on the member, with the commands that take it away. */
import { nextStep, optionArgs } from '../../core/next-step.ts'
import type { FederationDriver } from '../../drivers/driver-api.ts'
import type { Note } from '../../model/backend.ts'
import type { Standalone } from '../deps.ts'
import type { MemberRecord } from '../members/member-record.ts'
import { parted } from '../references/references.ts'

export async function leftBehind(
  deps: Standalone,
  driver: FederationDriver,
  { name, reference }: MemberRecord,
): Promise<Note[]> {
  const { context, first } = contextFor(reference, await deps.coe.contexts())
  const left = driver.leftBehind(name, context)
  return [
    ...(first && left.length ? [first] : []),
    ...left.map(({ what, next }) => ({ text: `left on ${name}: ${what}`, next: [next] })),
  ]
}

/** kubectl knows contexts alone: a cluster of Magnum has none until the user makes one. */
function contextFor(reference: string, contexts: readonly string[]): { context: string; first?: Note } {
  if (contexts.includes(reference)) return { context: reference }
  const { prefix, name } = parted(reference)
  if (prefix !== 'magnum') {
    return {
      context: 'CONTEXT',
      first: `the kubeconfig has no context "${reference}" any more: put one that leads to the cluster in place of CONTEXT`,
    }
  }
  const [cluster = name, ...cloud] = name.split('/').reverse()
  const own = cloud.length ? optionArgs('os-cloud', cloud.reverse().join('/')) : []
  return {
    context: cluster,
    first: {
      text: `kubectl needs a context for ${cluster} first`,
      next: [nextStep('make one', 'cluster config', cluster, { option: 'merge' }, ...own)],
    },
  }
}
