/** Which federations there are: on the host that is named, on those that are known to have some, or wherever a context leads. */
import { coeExtension, loadKubeconfig } from '../config/kubeconfig.ts'
import { mapLimit, settle, together } from '../core/concurrency.ts'
import { CoeError } from '../core/errors.ts'
import { plural } from '../core/text.ts'
import type { ClusterApi } from '../kube/cluster-api.ts'
import type { FederationPlace, FederationQuery } from '../model/backend.ts'
import type { Federation } from '../model/federation.ts'
import { candidates, listRecords } from './find.ts'
import { readIndex } from './local-index.ts'
import { parseMember } from './member-record.ts'
import { configMapKind, recordLabel, uuidLabel } from './names.ts'
import { findAccess, noContexts } from './references.ts'
import type { Standalone } from './room.ts'
import { federationOf, isWorkedOn } from './view.ts'

const atOnce = 8

export async function listFederations(
  room: Standalone,
  { host, namespace }: FederationPlace,
  { allContexts = false, onUnasked }: FederationQuery,
): Promise<Federation[]> {
  if (host !== undefined) {
    const { access, reference } = await findAccess(room, host)
    return ofHost(room, room.coe.connect(access, { title: `the API server of host "${reference}"` }), namespace)
  }
  const contexts = await candidates(room)
  const known = await knownHosts(room)
  if (contexts.length === 0 && known.length === 0) room.note(noContexts(room.world))
  const hosts = allContexts ? [...new Set([...contexts, ...known])] : known
  const found = await mapLimit(hosts, atOnce, async reference => {
    const look = await settle(enter(room, reference).then(api => api && ofHost(room, api, namespace)))
    room.signal.throwIfAborted()
    if (look.ok) return look.value ?? []
    if (!(look.error instanceof CoeError) || !onUnasked) throw look.error
    onUnasked(look.error, hosts.length)
    return []
  })
  const others = contexts.filter(context => !hosts.includes(context)).length
  if (others) room.note(`${plural(others, 'more context')} not asked; --all-contexts asks every one`)
  const byUuid = new Map(found.flat().map(f => [f.uuid, f]))
  return [...byUuid.values()].sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1))
}

/** For a look: nobody waits for long, and no credential plugin may ask. Undefined: what was noted leads nowhere any more. */
async function enter(room: Standalone, reference: string): Promise<ClusterApi | undefined> {
  if ((await room.coe.contexts()).includes(reference)) return room.probe(reference)
  const found = await settle(findAccess(room, reference))
  if (found.ok) {
    return room.coe.connect(found.value.access, { title: `the API server of host "${reference}"`, timeoutMs: 3_000 })
  }
  if (!(found.error instanceof CoeError)) throw found.error
  room.note(`"${reference}" had a federation, and cannot be found from here: ${found.error.message}`)
  return undefined
}

/** Noted on contexts, or remembered; and the current context, where one would look first. */
async function knownHosts(room: Standalone): Promise<string[]> {
  const [{ contexts, currentContext }, index] = await Promise.all([loadKubeconfig(room.world), readIndex(room)])
  const notes = [...contexts.values()].map(c => coeExtension(c)).filter(n => n?.federation !== undefined)
  const current = currentContext && contexts.get(currentContext.name)
  const own = current && coeExtension(current)?.federation === undefined ? [current.name] : []
  return [...new Set([...notes.map(n => String(n?.host)), ...index.map(e => e.host), ...own])]
}

/** Federations and members in one request each, and a look at the lock of each. */
async function ofHost(room: Standalone, host: ClusterApi, namespace: string | undefined): Promise<Federation[]> {
  const { signal } = room
  const [records, members] = await together([
    listRecords(host, undefined, namespace, signal),
    host.list(configMapKind, { labels: `${recordLabel}=member`, namespace, signal }),
  ])
  return Promise.all(
    records.map(async record => {
      const own = members.items.filter(m => m.metadata.labels?.[uuidLabel] === record.uuid).map(parseMember)
      return federationOf(record, own, await isWorkedOn(room, { record, host }))
    }),
  )
}
