/** Which context of this machine leads to a federation. */
import { coeExtension, type Kubeconfig, loadKubeconfig } from '../config/kubeconfig/kubeconfig.ts'
import { userPath } from '../config/paths.ts'
import { CoeError } from '../core/errors.ts'
import type { KubeconfigNote, NamedFederation } from '../model/local-state.ts'
import type { LocalDeps } from './deps.ts'

type Noted = NamedFederation & { kubeconfigs?: readonly KubeconfigNote[] }

/** @param stated the file that its context is in, if that is not where the record says */
export async function contextName(
  { world }: LocalDeps,
  federation: Noted,
  stated?: string,
): Promise<string | undefined> {
  const file = stated === undefined ? fileHere(federation, world.hostname) : userPath(stated, world)
  const kubeconfig = await loadKubeconfig(world, { file }).catch((error: unknown) => {
    // whoever writes to it says what is wrong with it
    if (error instanceof CoeError) return undefined
    throw error
  })
  return kubeconfig && administratorsContext(federation, kubeconfig)
}

/** The last file of this machine that a creation wrote its context to. */
const fileHere = ({ kubeconfigs = [] }: Noted, machine: string): string | undefined =>
  kubeconfigs.findLast(noted => noted.on === machine)?.file

function administratorsContext({ uuid, name, contextName }: Noted, { contexts }: Kubeconfig) {
  // one that somebody renamed is theirs: its cluster and user have kept the name that coe gave
  const written = [...contexts.values()].filter(entry => entry.value.cluster === entry.name)
  const notes = written.map(entry => ({ name: entry.name, note: coeExtension(entry) }))
  const own = notes.filter(({ note }) => note?.uuid === uuid && note.user === undefined).map(c => c.name)
  // contexts of earlier versions do not say whose they are; their names do
  return [contextName, name].find(wanted => own.includes(wanted)) ?? own.find(found => !found.includes('@'))
}
