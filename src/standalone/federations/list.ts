/** Lists federations: on the host that the user names, on the hosts known to have some, or in every context. */
import { awaitAll, mapLimit, resultOf } from '../../core/concurrency.ts'
import { CoeError, failed, fallbackOn } from '../../core/errors.ts'
import type { ClusterApi } from '../../kube/api/cluster-api.ts'
import { labelSelector } from '../../kube/api/selector.ts'
import type { FederationPlace, FederationQuery } from '../../model/backend.ts'
import type { Federation } from '../../model/federation.ts'
import type { Standalone } from '../deps.ts'
import { parseMember } from '../members/member-record.ts'
import { configMapKind, recordLabel, uuidLabel } from '../records/names.ts'
import { type Located, listRecords, withoutRecord } from '../records/on-host.ts'
import type { FederationRecord } from '../records/record.ts'
import { recordHere } from '../references/find.ts'
import { lookAtEach, lookInto } from '../references/look.ts'
import { findAccess, noContexts } from '../references/references.ts'
import { observed } from './observe.ts'
import { federationOf } from './view.ts'

export async function listFederations(
  deps: Standalone,
  { host, namespace, timeoutMs }: FederationPlace,
  { allContexts = false, onUnreachable }: FederationQuery,
): Promise<Federation[]> {
  if (host !== undefined) {
    const { access, reference } = await findAccess(deps, host)
    const title = `the API server of host "${reference}"`
    const api = deps.coe.connect(access, timeoutMs === undefined ? { title } : { title, timeoutMs })
    return noted(deps, [{ reference, found: await ofHost(deps, { reference, host: api }, namespace) }])
  }
  const here = await deps.local.contexts()
  const contexts = await here.clusters()
  const known = await here.hosts()
  if (contexts.length === 0 && known.length === 0) deps.noteOnce(noContexts(deps.world))
  const hosts = allContexts ? [...new Set([...contexts, ...known])] : known
  const looks = await lookAtEach(deps, hosts, async reference =>
    ofHost(deps, { reference, host: await enter(deps, reference, timeoutMs) }, namespace),
  )
  const answers = looks.flatMap(end => {
    if (end.ok) return { reference: end.item, found: end.value }
    if (!onUnreachable) throw end.error
    onUnreachable(end.error as CoeError, hosts.length)
    return []
  })
  const others = contexts.filter(context => !hosts.includes(context)).length
  if (others) {
    const them = others === 1 ? 'context of the kubeconfig was' : 'contexts of the kubeconfig were'
    deps.noteOnce(`${others} other ${them} not queried; use --all-contexts to query every context`)
  }
  return noted(deps, answers)
}

/** Remembers the federations that were found, so that the next list knows their hosts. */
async function noted(
  deps: Standalone,
  answers: readonly { reference: string; found: Federation[] }[],
): Promise<Federation[]> {
  const entries = answers.flatMap(({ reference: host, found }) =>
    found.map(({ name, uuid, namespace }) => ({ name: name ?? '', uuid, namespace, host })),
  )
  const index = await deps.local.federations.known()
  // a cluster may have several contexts: keep the one that is remembered already
  await deps.local.federations.remember(
    entries.filter(entry => !index.some(e => e.uuid === entry.uuid && entries.some(o => o.host === e.host))),
  )
  const byUuid = new Map(answers.flatMap(a => a.found).map(f => [f.uuid, f]))
  return [...byUuid.values()].sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1))
}

/** A remembered host may be unreachable by now; what it has is unknown then. */
async function enter(deps: Standalone, reference: string, timeoutMs: number | undefined): Promise<ClusterApi> {
  const found = await resultOf(lookInto(deps, reference, timeoutMs))
  if (found.ok) return found.value
  const { error } = found
  if (!(error instanceof CoeError) || error.outcome !== 'notFound') throw error
  throw failed(`"${reference}" had a federation, and cannot be found from here: ${error.message}`, {
    hint: `if that cluster is gone for good, remove its entry from ${deps.local.indexPlace} and the contexts of its federations`,
    cause: error,
  })
}

/** Remembered federations that are being deleted: their record goes before their namespace. */
async function endingOn(
  deps: Standalone,
  { reference, host }: Pick<Located, 'reference' | 'host'>,
  namespace: string | undefined,
  records: readonly FederationRecord[],
): Promise<FederationRecord[]> {
  const known = (await deps.local.federations.known()).filter(
    e =>
      e.host === reference &&
      e.namespace !== undefined &&
      (namespace === undefined || e.namespace === namespace) &&
      !records.some(r => r.uuid === e.uuid),
  )
  const found = await mapLimit(known, 8, async e => {
    const record = await withoutRecord(host, e.namespace ?? '', deps.call.signal).catch(fallbackOn('denied', undefined))
    return record?.ending && record.uuid === e.uuid ? [record] : []
  })
  return found.flat()
}

/** Reads all federations in one request, all members in another, and then the lock of each federation that has begun a change. */
async function ofHost(
  deps: Standalone,
  { reference, host }: Pick<Located, 'reference' | 'host'>,
  namespace: string | undefined,
): Promise<Federation[]> {
  const { signal } = deps.call
  const [records, members] = await awaitAll([
    listRecords(host, {}, namespace, signal),
    host.list(configMapKind, { labels: labelSelector({ [recordLabel]: 'member' }), namespace, signal }),
  ])
  const ending = await endingOn(deps, { reference, host }, namespace, records)
  return Promise.all(
    [...records, ...ending].map(async record => {
      const own = members.items.filter(m => m.metadata.labels?.[uuidLabel] === record.uuid).map(parseMember)
      const now = await observed(deps, { host, reference, record: await recordHere(deps, record, reference) })
      return federationOf(now.record, own, now.working)
    }),
  )
}
