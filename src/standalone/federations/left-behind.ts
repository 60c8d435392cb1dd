/** After an unjoin by force: what is still on the member, with lines that kubectl can run. */
import { shellWord } from '../../core/shell-word.ts'
import type { FederationDriver } from '../../drivers/driver-api.ts'
import type { Standalone } from '../deps.ts'
import type { MemberRecord } from '../members/member-record.ts'
import { parted } from '../references/references.ts'

export async function leftText(
  deps: Standalone,
  driver: FederationDriver,
  { name, reference }: MemberRecord,
): Promise<string[]> {
  const { context, first } = wayThere(reference, await deps.coe.contexts())
  const left = driver.leftBehind(name, context)
  return [
    ...(first && left.length ? [first] : []),
    ...left.map(({ what, command }) => `left on ${name}: ${what}\n  ${command}`),
  ]
}

/** kubectl knows contexts alone: a cluster of Magnum has none until somebody makes one. */
function wayThere(reference: string, contexts: readonly string[]): { context: string; first?: string } {
  if (contexts.includes(reference)) return { context: reference }
  const { prefix, name } = parted(reference)
  if (prefix !== 'magnum') {
    return {
      context: 'CONTEXT',
      first: `the kubeconfig has no context "${reference}" any more: put one that leads to the cluster in place of CONTEXT`,
    }
  }
  const [cluster = name, ...cloud] = name.split('/').reverse()
  const of = cloud.length ? `--os-cloud ${shellWord(cloud.reverse().join('/'))} ` : ''
  return {
    context: cluster,
    first: `kubectl needs a context for it first:\n  coe ${of}cluster config ${shellWord(cluster)} --merge`,
  }
}
