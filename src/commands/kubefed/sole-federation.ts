/** Which federation is meant where nobody says: the current context's, else the only one that the host has. */
import type { Context } from '../../cli/context.ts'
import { coeExtension, loadKubeconfig } from '../../config/kubeconfig.ts'
import { conflict, notFound } from '../../core/errors.ts'
import type { Federations } from '../../model/backend.ts'

export async function soleFederation(context: Context, federations: Federations): Promise<string> {
  const { contexts, currentContext } = await loadKubeconfig(context.world, { kubeconfig: context.globals.kubeconfig })
  const note = currentContext && coeExtension(contexts.get(currentContext.name))
  if (typeof note?.federation === 'string') return note.federation
  const names = (await federations.list({ allContexts: true, onUnasked: e => context.warn(e.message) })).map(
    f => f.name ?? f.uuid,
  )
  const [only, another] = names
  if (only === undefined) {
    throw notFound('there is no federation', { hint: 'coe init NAME --host-cluster-context CONTEXT makes one' })
  }
  if (another !== undefined) {
    throw conflict(`there are several federations: ${names.join(', ')}`, { hint: 'say which one with --federation' })
  }
  return only
}
