/** The record of a federation as it is on this machine: what its host is called here, and which context leads to it. */
import { coeExtension, type Kubeconfig, loadKubeconfig } from '../config/kubeconfig/kubeconfig.ts'
import { CoeError } from '../core/errors.ts'
import type { Standalone } from './deps.ts'
import type { FederationRecord } from './records/record.ts'

/** @param file where its context is, if that is not where the record says */
export async function recordHere(
  deps: Standalone,
  record: FederationRecord,
  reference: string,
  file = fileHere(deps, record),
): Promise<FederationRecord> {
  const kubeconfig = await loadKubeconfig(deps.world, { file }).catch((error: unknown) => {
    // whoever writes to it says what is wrong with it
    if (error instanceof CoeError) return undefined
    throw error
  })
  return named(record, reference, kubeconfig)
}

/** The last file of this machine that a creation wrote its context to. */
export const fileHere = ({ world }: Standalone, { kubeconfigs = [] }: FederationRecord): string | undefined =>
  kubeconfigs.findLast(noted => noted.on === world.hostname)?.file

export const named = (
  record: FederationRecord,
  reference: string,
  kubeconfig: Kubeconfig | undefined,
): FederationRecord => ({
  ...record,
  host: { ...record.host, reference },
  contextName: (kubeconfig && administratorsContext(record, kubeconfig)) ?? record.name,
})

function administratorsContext({ uuid, name, contextName }: FederationRecord, { contexts }: Kubeconfig) {
  // one that somebody renamed is theirs: its cluster and user have kept the name that coe gave
  const written = [...contexts.values()].filter(entry => entry.value.cluster === entry.name)
  const notes = written.map(entry => ({ name: entry.name, note: coeExtension(entry) }))
  const own = notes.filter(({ note }) => note?.uuid === uuid && note.user === undefined).map(c => c.name)
  // contexts of earlier versions do not say whose they are; their names do
  return [contextName, name].find(wanted => own.includes(wanted)) ?? own.find(found => !found.includes('@'))
}
