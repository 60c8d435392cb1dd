/** Which entry of a kubeconfig is in the way of a federation's context: one that leads elsewhere, and is not ours to replace. */
import { base64, coeExtension, type Kubeconfig } from '../config/kubeconfig/kubeconfig.ts'
import type { KubeEntry } from '../config/kubeconfig/kubeconfig-read.ts'
import type { FederationAccess } from '../model/backend.ts'
import type { NamedFederation } from '../model/local-state.ts'

export interface TakenEntry {
  kind: 'context' | 'cluster' | 'user'
  entry: KubeEntry
}

/** @param access of the federation, where it is known: what leads to the same server and CA is ours, whoever wrote it */
export function takenEntry(
  now: Kubeconfig,
  record: Pick<NamedFederation, 'name' | 'host' | 'contextName'>,
  access: FederationAccess | undefined,
): TakenEntry | undefined {
  const { contextName: name } = record
  const context = now.contexts.get(name)
  const cluster = now.clusters.get(name)
  const user = now.users.get(name)
  // the same name on the same host is this federation, or one before it that is gone
  const noted = (entry: KubeEntry) => {
    const note = coeExtension(entry)
    return note?.federation === record.name && note['host-uid'] === record.host.uid
  }
  const leadsThere = (entry: KubeEntry | undefined) => entry !== undefined && (noted(entry) || isSame(entry, access))
  const usersOwn = ({ value }: KubeEntry) =>
    access?.cert !== undefined && value['client-certificate-data'] === base64(access.cert)
  // a user says nothing of where it leads; the contexts that use it do
  const usedThere = () =>
    [...now.contexts.values()].every(
      c => c.value.user !== name || leadsThere(now.clusters.get(String(c.value.cluster))),
    )

  if (context && noted(context)) return undefined
  if (context && !leadsThere(now.clusters.get(String(context.value.cluster))))
    return { kind: 'context', entry: context }
  if (cluster && !leadsThere(cluster)) return { kind: 'cluster', entry: cluster }
  if (user && !noted(user) && !usersOwn(user) && !(leadsThere(cluster) && usedThere())) {
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
