/** Finds a kubeconfig entry that has the name of a federation's context but leads elsewhere, so that it must not be replaced. */
import { base64, coeExtension, type Kubeconfig } from '../config/kubeconfig/kubeconfig.ts'
import type { KubeEntry } from '../config/kubeconfig/kubeconfig-read.ts'
import type { FederationAccess } from '../model/backend.ts'
import type { NamedFederation } from '../model/local-state.ts'

export interface TakenEntry {
  kind: 'context' | 'cluster' | 'user'
  entry: KubeEntry
}

/** @param access of the federation, if known: an entry with the same server and CA may be replaced */
export function takenEntry(
  kubeconfig: Kubeconfig,
  record: Pick<NamedFederation, 'name' | 'host' | 'contextName'>,
  access: FederationAccess | undefined,
): TakenEntry | undefined {
  const { contextName: name } = record
  const context = kubeconfig.contexts.get(name)
  const cluster = kubeconfig.clusters.get(name)
  const user = kubeconfig.users.get(name)
  // the same name on the same host: this federation, or a deleted one
  const isNoted = (entry: KubeEntry) => {
    const note = coeExtension(entry)
    return note?.federation === record.name && note['host-uid'] === record.host.uid
  }
  const leadsThere = (entry: KubeEntry | undefined) => entry !== undefined && (isNoted(entry) || isSame(entry, access))
  const usersOwn = ({ value }: KubeEntry) =>
    access?.cert !== undefined && value['client-certificate-data'] === base64(access.cert)
  // a user entry has no server; the contexts that use it do
  const usedThere = () =>
    [...kubeconfig.contexts.values()].every(
      c => c.value.user !== name || leadsThere(kubeconfig.clusters.get(String(c.value.cluster))),
    )

  if (context && isNoted(context)) return undefined
  if (context && !leadsThere(kubeconfig.clusters.get(String(context.value.cluster))))
    return { kind: 'context', entry: context }
  if (cluster && !leadsThere(cluster)) return { kind: 'cluster', entry: cluster }
  if (user && !isNoted(user) && !usersOwn(user) && !(leadsThere(cluster) && usedThere())) {
    return { kind: 'user', entry: user }
  }
  return undefined
}

function isSame({ value }: KubeEntry, access: FederationAccess | undefined): boolean {
  const bare = (url: unknown) => String(url).replace(/\/+$/, '')
  const pem = (data: unknown) => Buffer.from(String(data), 'base64').toString('utf8').trim()
  if (access?.ca === undefined || bare(value.server) !== bare(access.server)) return false
  return pem(value['certificate-authority-data']) === access.ca.trim()
}
