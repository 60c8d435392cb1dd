/** Finds the name of a federation's context on this machine. */
import { coeExtension, type Kubeconfig, loadKubeconfig } from '../config/kubeconfig/kubeconfig.ts'
import { userPath } from '../config/paths.ts'
import { CoeError } from '../core/errors.ts'
import type { KubeconfigNote, NamedFederation } from '../model/local-state.ts'
import type { LocalDeps } from './deps.ts'

type FederationWithFiles = NamedFederation & { kubeconfigs?: readonly KubeconfigNote[] }

/** @param stated the file that contains its context, if not the one in the record */
export async function contextName(
  { world }: LocalDeps,
  federation: FederationWithFiles,
  stated?: string,
): Promise<string | undefined> {
  const file = stated === undefined ? fileHere(federation, world.hostname) : userPath(stated, world)
  const kubeconfig = await loadKubeconfig(world, { file }).catch((error: unknown) => {
    // the code that writes to the kubeconfig reports what is wrong with it
    if (error instanceof CoeError) return undefined
    throw error
  })
  return kubeconfig && administratorsContext(federation, kubeconfig)
}

/** The last file on this machine that a creation wrote the context to. */
const fileHere = ({ kubeconfigs = [] }: FederationWithFiles, machine: string): string | undefined =>
  kubeconfigs.findLast(note => note.on === machine)?.file

function administratorsContext({ uuid, name, contextName }: FederationWithFiles, { contexts }: Kubeconfig) {
  // a renamed context belongs to the user; its cluster and user entries still have coe's name for it
  const written = [...contexts.values()].filter(entry => entry.value.cluster === entry.name)
  const notes = written.map(entry => ({ name: entry.name, note: coeExtension(entry) }))
  const own = notes.filter(({ note }) => note?.uuid === uuid && note.user === undefined).map(c => c.name)
  // contexts of earlier versions do not have a user; their names contain it
  return [contextName, name].find(wanted => own.includes(wanted)) ?? own.find(found => !found.includes('@'))
}
