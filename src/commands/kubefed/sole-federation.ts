/** Which federation is meant where nobody says: the current context's, else the only one that the host has. */

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
  const unasked: string[] = []
  const onUnreachable = (error: Error) => void unasked.push(error.message)
  const names = (await federations.list(context.call, { allContexts: true, onUnreachable })).map(f => f.name ?? f.uuid)
  const [only, another] = names
  if (another === undefined && unasked.length > 0) throw notKnown(only, unasked)
  if (only === undefined) {
    throw notFound('there is no federation', {
      next: [nextStep('make one', 'init', 'NAME', ...optionArgs('host-cluster-context', 'CONTEXT'))],
    })
  }
  if (another !== undefined) {
    throw conflict(`there are several federations: ${someOf(names)}`, { hint: 'say which one with --federation' })
  }
  return only
}

/** Who did not answer may have another one. */
const notKnown = (found: string | undefined, unasked: readonly string[]) =>
  failed(
    `which federation is meant is not known: ${plural(unasked.length, 'cluster')} could not be asked${found === undefined ? '' : `; of those that could, one has "${found}"`}`,
    {
      hint: [
        unasked[0],
        found === undefined ? 'say which one with --federation' : `--federation ${found} says that it is meant`,
        'or name its host with --host-cluster-context, and nobody else is asked',
      ].join('\n'),
    },
  )
