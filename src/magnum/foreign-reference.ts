/** References such as `kube:c2` in Magnum mode, whose API has no field for clusters outside it. */

import { usage } from '../core/errors.ts'
import { flagArg, type StepArg, standaloneStep } from '../core/next-step.ts'

/** Querying clusters themselves, or a cluster outside this Magnum, needs standalone mode. */
export function refuseStandaloneQuery(ref: string | undefined, words: string, how: { probe?: boolean } = {}): void {
  if (ref !== undefined && /^(?:kube|capi):/.test(ref)) {
    throw usage(`"${ref}" names a cluster outside this Magnum`, { next: [standaloneStep('', words, ref)] })
  }
  if (!how.probe) return
  const own = ref === undefined ? [] : [`magnum:${withoutPrefix(ref)}`]
  throw usage('--probe queries the clusters themselves, and works only in standalone mode', {
    next: [standaloneStep('', words, ...own, ...flagArg('probe'))],
  })
}

/** Standalone mode calls the cluster "prod" `magnum:prod`. */
export const withoutPrefix = (ref: string): string => ref.replace(/^magnum:/, '')

/** The cluster's name in this Magnum. Refuses references to clusters of other drivers. */
export function ownName(ref: string): string {
  if (!/^(?:kube|capi):/.test(ref)) return withoutPrefix(ref)
  throw usage(`"${ref}" names a cluster outside this Magnum`, {
    hint: 'change that cluster with the tool that made it',
  })
}

export function refuseForeignReference(ref: string, words: string, ...args: StepArg[]): void {
  if (!/^(?:kube|magnum|capi):/.test(ref)) return
  throw usage(`"${ref}" names a cluster outside this Magnum, and Magnum's API does not accept those`, {
    next: [standaloneStep("without Magnum's federations it can be done from here", words, ...args)],
  })
}
