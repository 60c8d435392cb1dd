/** Finds the federation if the user does not name one: the current context's, else the only one. */

import type { Context } from '../../cli/context.ts'
import { coeExtension, loadKubeconfig } from '../../config/kubeconfig/kubeconfig.ts'
import { conflict, failed, notFound } from '../../core/errors.ts'
import { nextStep, optionArgs } from '../../core/next-step.ts'
import { plural, someOf } from '../../core/text.ts'
import type { Federations } from '../../model/backend.ts'

export async function soleFederation(context: Context, federations: Federations): Promise<string> {
  const { contexts, currentContext } = await loadKubeconfig(context.world, { kubeconfig: context.globals.kubeconfig })
  const note = currentContext && coeExtension(contexts.get(currentContext.name))
  if (typeof note?.federation === 'string') return note.federation
  const unreachable: string[] = []
  const onUnreachable = (error: Error) => void unreachable.push(error.message)
  const names = (await federations.list(context.call, { allContexts: true, onUnreachable })).map(f => f.name ?? f.uuid)
  const [only, another] = names
  if (another === undefined && unreachable.length > 0) throw uncertain(only, unreachable)
  if (only === undefined) {
    throw notFound('there is no federation', {
      next: [nextStep('create one', 'init', 'NAME', ...optionArgs('host-cluster-context', 'CONTEXT'))],
    })
  }
  if (another !== undefined) {
    throw conflict(`there are several federations: ${someOf(names)}`, { hint: 'choose one with --federation' })
  }
  return only
}

/** A cluster that did not answer may have another federation. */
const uncertain = (found: string | undefined, unreachable: readonly string[]) =>
  failed(
    `it is not certain which federation you mean: ${plural(unreachable.length, 'cluster')} did not answer${found === undefined ? '' : `; the others have only "${found}"`}`,
    {
      hint: [
        unreachable[0],
        found === undefined ? 'name it with --federation' : `if you mean that one, give --federation ${found}`,
        'or name its host with --host-cluster-context, so that no other cluster is queried',
      ].join('\n'),
    },
  )
