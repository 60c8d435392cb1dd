/** What an unjoin by force leaves on the member, with the commands that remove it. */
import { nextStep, optionArgs } from '../../core/next-step.ts'
import type { FederationDriver } from '../../drivers/driver-api.ts'
import type { MemberNote } from '../../model/notes.ts'
import type { Standalone } from '../deps.ts'
import type { MemberRecord } from '../members/member-record.ts'
import { parted } from '../references/references.ts'

export async function leftOnMember(
  deps: Standalone,
  driver: FederationDriver,
  { name, reference }: MemberRecord,
): Promise<MemberNote[]> {
  const { context, first } = contextFor(reference, await deps.coe.contexts())
  const left = driver.leftOnMember(name, context)
  return [
    ...(first && left.length ? [first] : []),
    ...left.map(({ what, next }) => ({ kind: 'left-behind' as const, member: name, what, next: [next] })),
  ]
}

/** kubectl needs a context, and a Magnum cluster has none until the user makes one. */
function contextFor(reference: string, contexts: readonly string[]): { context: string; first?: MemberNote } {
  if (contexts.includes(reference)) return { context: reference }
  const { prefix, name } = parted(reference)
  if (prefix !== 'magnum') {
    return {
      context: 'CONTEXT',
      first: { kind: 'no-context', reference },
    }
  }
  const [cluster = name, ...cloud] = name.split('/').reverse()
  const own = cloud.length ? optionArgs('os-cloud', cloud.reverse().join('/')) : []
  return {
    context: cluster,
    first: {
      kind: 'context-needed',
      cluster,
      next: [nextStep('make one', 'cluster config', cluster, { option: 'merge' }, ...own)],
    },
  }
}
