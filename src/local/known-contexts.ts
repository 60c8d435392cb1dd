/** Finds out from the kubeconfig and the local index where federations may be. */
import { coeExtension, type Kubeconfig, loadKubeconfig } from '../config/kubeconfig/kubeconfig.ts'
import { shellWord } from '../core/shell-word.ts'
import type { HostHint, KnownContexts } from '../model/local-state.ts'
import type { LocalDeps } from './deps.ts'
import { indexFile, readIndex } from './known-federations.ts'

export async function knownContexts(deps: LocalDeps): Promise<KnownContexts> {
  const kubeconfig = await loadKubeconfig(deps.world)
  return {
    hints: ref => hints(deps, kubeconfig, ref),
    hosts: () => hosts(deps, kubeconfig),
    async clusters() {
      const { contexts } = kubeconfig
      return (await deps.contexts()).filter(name => coeExtension(contexts.get(name))?.federation === undefined)
    },
  }
}

async function hints(deps: LocalDeps, kubeconfig: Kubeconfig, ref: string): Promise<HostHint[]> {
  const index = await readIndex(deps)
  const contexts = [...kubeconfig.contexts.values()]
    .map(entry => ({ name: entry.name, note: coeExtension(entry) }))
    .filter(
      ({ name, note }) =>
        note?.federation !== undefined && (name === ref || note.federation === ref || note.uuid === ref),
    )
    .map(({ name, note }) => ({
      host: String(note?.host),
      uuid: String(note?.uuid),
      namespace: note?.namespace === undefined ? undefined : String(note.namespace),
      forget: `kubectl config delete-context ${shellWord(name)}`,
    }))
  const forget = `remove its entry from ${indexFile(deps)}`
  const remembered = index.filter(e => e.name === ref || e.uuid === ref).map(e => ({ ...e, forget }))
  const all: HostHint[] = [...contexts, ...remembered]
  return all.filter((h, i) => all.findIndex(o => o.host === h.host && (o.uuid ?? h.uuid) === h.uuid) === i)
}

/** The hosts in the notes of contexts and in the local index, and the current context, which is the likeliest host. */
async function hosts(deps: LocalDeps, { contexts, currentContext }: Kubeconfig): Promise<string[]> {
  const index = await readIndex(deps)
  const notes = [...contexts.values()].map(c => coeExtension(c)).filter(n => n?.federation !== undefined)
  const current = currentContext && contexts.get(currentContext.name)
  const own = current && coeExtension(current)?.federation === undefined ? [current.name] : []
  return [...new Set([...notes.map(n => String(n?.host)), ...index.map(e => e.host), ...own])]
}
