/** Where a federation is, in kubefed's words. */

import { lookTimeoutOption } from '../../cli/options/wait-options.ts'
import { text } from '../../cli/parse/values.ts'
import { shellWord } from '../../core/shell-word.ts'

export const kubefedPlace = {
  host: text('host-cluster-context', 'context', 'host of the federation', { also: ['--host'], complete: 'context' }),
  namespace: text('federation-system-namespace', 'name', 'namespace of the federation on its host', {
    also: ['--namespace'],
    fallback: 'coe-fed-NAME',
  }),
  timeout: lookTimeoutOption,
  federation: text('federation', 'name', 'the federation', {
    fallback: 'that of the current context, else the only one',
    complete: 'federation',
  }),
}

/** kubefed's verbs take one cluster. Who names a federation as well may have either order in mind. */
export const inFull =
  (verb: 'join' | 'unjoin') =>
  (words: readonly string[]): string => {
    const [first = '', second = ''] = words.map(shellWord)
    const all = words.map(shellWord).join(' ')
    return `if the cluster comes first: coe ${verb} ${first} --federation ${second}; if the federation does: coe federation ${verb} ${all}`
  }
