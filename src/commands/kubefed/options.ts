/** The options that select a federation, with kubefed's names. */

import { queryTimeoutOption } from '../../cli/options/wait-options.ts'
import { text } from '../../cli/parse/values.ts'
import { type Advice, nextStep, optionArgs } from '../../core/next-step.ts'

export const kubefedPlace = {
  host: text('host-cluster-context', 'context', 'host of the federation', { also: ['--host'], complete: 'context' }),
  namespace: text('federation-system-namespace', 'name', 'namespace of the federation on its host', {
    also: ['--namespace'],
    fallback: 'coe-fed-NAME',
  }),
  timeout: queryTimeoutOption,
  federation: text('federation', 'name', 'the federation', {
    fallback: 'that of the current context, else the only one',
    complete: 'federation',
  }),
}

/** kubefed's commands take one cluster. A user who also names a federation may mean either order. */
export const inFull =
  (verb: 'join' | 'unjoin') =>
  (words: readonly string[]): Advice => {
    const [first = '', second = ''] = words
    return {
      next: [
        nextStep('if the cluster comes first', verb, first, ...optionArgs('federation', second)),
        nextStep('if the federation does', `federation ${verb}`, ...words),
      ],
    }
  }
