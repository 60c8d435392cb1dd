/**
 * The references of clusters on this machine, by the identity of the cluster. Context names mean nothing on another
 * machine, so they are not in records.
 */
import { join } from 'node:path'
import { type Kubeconfig, loadKubeconfig } from '../config/kubeconfig/kubeconfig.ts'
import { type JsonFileFormat, readJsonFile, writeJsonFile } from '../core/json-file.ts'
import { list, object, text } from '../core/shape.ts'
import type { MemberIdentity, MemberReferences } from '../model/local-state.ts'
import { sharedReference } from '../model/member-request.ts'
import type { LocalDeps } from './deps.ts'

interface KnownCluster {
  uid: string
  reference: string
}

const format: JsonFileFormat = { format: 1, fields: { clusters: list(object({ uid: text, reference: text })) } }

const fileOf = ({ state }: LocalDeps): string | undefined =>
  state === undefined ? undefined : join(state, 'clusters.json')

function read(deps: LocalDeps): KnownCluster[] {
  const file = fileOf(deps)
  return (file && readJsonFile<{ clusters: KnownCluster[] }>(file, format, deps.world)?.clusters) || []
}

export async function rememberClusters(deps: LocalDeps, clusters: readonly KnownCluster[]): Promise<void> {
  const file = fileOf(deps)
  if (file === undefined) return
  const before = read(deps)
  const named = clusters.map(({ uid, reference }) => ({ uid, reference }))
  if (named.every(c => before.some(b => b.uid === c.uid && b.reference === c.reference))) return
  const after = [...before.filter(b => !named.some(c => c.uid === b.uid)), ...named]
  // if the folder cannot be written, the next run searches the kubeconfig
  await writeJsonFile(file, format, { clusters: after }).catch(() => {})
}

/**
 * The references by which a member may be reached from this machine, the likeliest first. The caller compares the
 * cluster's identity, because a reference may lead to another cluster.
 */
export async function referencesHere(deps: LocalDeps): Promise<(member: MemberIdentity) => MemberReferences> {
  const kubeconfig = await loadKubeconfig(deps.world)
  const contexts = await deps.contexts()
  const known = read(deps)
  return member => {
    const here = (name: string) => contexts.includes(name)
    const remembered = known.filter(c => c.uid === member.uid).map(c => c.reference)
    const all = [
      ...remembered.filter(reference => here(reference) || sharedReference(reference) !== undefined),
      ...(sharedReference(member.reference) === undefined ? [] : [member.reference]),
      ...contexts.filter(name => serverOf(kubeconfig, name) === bare(member.server)),
      // records of earlier versions contain its reference on some other machine
      ...[member.reference].filter(here),
    ]
    const guess = here(member.name) && !all.includes(member.name) ? member.name : undefined
    return { known: [...new Set(all)], guess }
  }
}

const bare = (url: string): string => url.replace(/\/+$/, '')

function serverOf({ contexts, clusters }: Kubeconfig, name: string): string | undefined {
  const server = clusters.get(String(contexts.get(name)?.value.cluster))?.value.server
  return typeof server === 'string' && server !== '' ? bare(server) : undefined
}
