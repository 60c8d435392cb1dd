/** `kube:c2` or `magnum:c2` in Magnum mode: its API has no field for a cluster that is not its own. */
import { usage } from '../core/errors.ts'

export function refuseForeignReference(ref: string, words: string): void {
  if (!/^(?:kube|magnum|capi):/.test(ref)) return
  throw usage(`"${ref}" names a cluster outside of this Magnum, and its API has no way to say that`, {
    hint: `without Magnum's federations it can be done from here: coe --standalone ${words}`,
  })
}
