/** `kube:c2` or `magnum:c2` in Magnum mode: its API has no field for a cluster that is not its own. */

import { usage } from '../core/errors.ts'
import { flagArg, type StepArg, standaloneStep } from '../core/next-step.ts'

/** A look at clusters themselves, or at one that is not this Magnum's, is for the other mode. */
export function refuseStandaloneQuery(ref: string | undefined, words: string, how: { probe?: boolean } = {}): void {
  if (ref !== undefined && /^(?:kube|capi):/.test(ref)) {
    throw usage(`"${ref}" names a cluster outside of this Magnum`, { next: [standaloneStep('', words, ref)] })
  }
  if (!how.probe) return
  const own = ref === undefined ? [] : [`magnum:${withoutPrefix(ref)}`]
  throw usage('--probe asks clusters themselves, and works in standalone mode', {
    next: [standaloneStep('', words, ...own, ...flagArg('probe'))],
  })
}

/** `magnum:prod` is what "prod" is called in the other mode. */
export const withoutPrefix = (ref: string): string => ref.replace(/^magnum:/, '')

/** The name that a reference has in this Magnum; another driver's cluster is refused. */
export function ownName(ref: string): string {
  if (!/^(?:kube|capi):/.test(ref)) return withoutPrefix(ref)
  throw usage(`"${ref}" names a cluster outside of this Magnum`, { hint: 'what made that cluster can change it' })
}

export function refuseForeignReference(ref: string, words: string, ...args: StepArg[]): void {
  if (!/^(?:kube|magnum|capi):/.test(ref)) return
  throw usage(`"${ref}" names a cluster outside of this Magnum, and its API has no way to say that`, {
    next: [standaloneStep("without Magnum's federations it can be done from here", words, ...args)],
  })
}
