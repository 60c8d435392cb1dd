/** Which host has a federation: where it is said, noted or remembered to be, else wherever a context leads. */
import { coeExtension, type Kubeconfig, loadKubeconfig } from '../../config/kubeconfig/kubeconfig.ts'
import { settle } from '../../core/concurrency.ts'
import { CoeError, conflict, notFound } from '../../core/errors.ts'
import { shellWord } from '../../core/shell-word.ts'
import { didYouMean, someOf } from '../../core/text.ts'
import type { ClusterApi } from '../../kube/api/cluster-api.ts'
import type { KubeObject } from '../../kube/api/object.ts'
import { labelSelector } from '../../kube/api/selector.ts'
import type { FederationPlace } from '../../model/backend.ts'
import type { Standalone } from '../deps.ts'
import { endingOf } from '../federations/ending.ts'
import { forgetPlace, indexFile, readIndex, remember, rememberPlace } from '../local/local-index.ts'
import { recordHere } from '../local-context.ts'
import {
  configMapKind,
  defaultNamespace,
  federationLabel,
  looksLikeUuid,
  namespaceRef,
  recordLabel,
  uuidLabel,
} from '../records/names.ts'
import { type FederationRecord, parseRecord, readRecord } from '../records/record.ts'
import { findAccess } from './references.ts'
import { noFederation, nowhere, scan, type Unasked } from './scan.ts'

export interface Located {
  record: FederationRecord
  /** A cluster reference. */
  reference: string
  host: ClusterApi
}

export async function findFederation(deps: Standalone, ref: string, place: FederationPlace): Promise<Located> {
  const located =
    place.host === undefined ? await search(deps, ref, place) : await onNamed(deps, ref, place, place.host)
  const { record, reference } = located
  const { name, uuid, namespace } = record
  await remember(deps, { name, uuid, namespace, host: reference })
  return { ...located, record: await recordHere(deps, record, reference) }
}

/** A host that was named is remembered though it does not answer: a search without its name must not pass it over. */
async function onNamed(deps: Standalone, ref: string, place: FederationPlace, named: string): Promise<Located> {
  const { host, reference } = await enter(deps, named, place.timeoutMs)
  const look = await settle(onHost(host, ref, place.namespace, deps.signal))
  if (!look.ok) {
    await rememberPlace(deps, ref, reference)
    throw look.error
  }
  if (look.value) return { record: look.value, reference, host: await lasting(deps, { host, reference }, place) }
  if (place.namespace === undefined) await forgetPlace(deps, ref, reference)
  throw notFound(`there is no federation "${ref}" on host "${reference}" (standalone mode)`, {
    hint: `"coe --standalone federation list --host ${shellWord(reference)}" shows those that it has`,
    details: noFederation,
  })
}

async function search(deps: Standalone, ref: string, place: FederationPlace): Promise<Located> {
  // as it was before: another run may take the federation away meanwhile, and its context
  const kubeconfig = await loadKubeconfig(deps.world)
  const { found, unasked } = await followed(deps, ref, place, await noted(deps, ref, kubeconfig))
  if (found) return found
  const names = new Set<string>()
  const seen = await scan(deps, kubeconfig, place.timeoutMs, host =>
    onHost(host, ref, place.namespace, deps.signal, names),
  )
  const [first] = seen.found
  const places = seen.found.map(f => f.reference)
  if (first && new Set(seen.found.map(f => f.value.uuid)).size > 1) throw several(ref, places)
  if (first) return { record: first.value, ...(await enter(deps, first.reference)) }
  const known = [...(await readIndex(deps)).map(e => e.name), ...names].filter(name => name !== ref)
  // one that was only named may be among the contexts as well, and have answered by now
  const others = unasked.filter(u => !seen.asked.includes(u.place) && !seen.unasked.some(s => s.place === u.place))
  throw nowhere(ref, { asked: seen.asked, unasked: [...others, ...seen.unasked] }, didYouMean(ref, known))
}

/** What was noted may be of a federation that is gone: only what is there counts. */
async function followed(
  deps: Standalone,
  ref: string,
  place: FederationPlace,
  hints: readonly Hint[],
): Promise<{ found: Located | undefined; unasked: Unasked[] }> {
  const found: Located[] = []
  const silent: { hint: Hint; error: CoeError }[] = []
  const unasked: Unasked[] = []
  for (const hint of hints) {
    const look = async () => {
      const entered = await enter(deps, hint.host, place.timeoutMs).catch(unlessMissing)
      if (!entered) return void unasked.push({ place: hint.host, why: lostText(hint) })
      const record = await onHost(entered.host, ref, place.namespace ?? hint.namespace, deps.signal)
      if (record && (hint.uuid === undefined || record.uuid === hint.uuid)) {
        found.push({ record, reference: hint.host, host: await lasting(deps, entered, place) })
      } else if (place.namespace === undefined) await forgetPlace(deps, ref, hint.host)
    }
    const end = await settle(look())
    deps.signal.throwIfAborted()
    if (end.ok) continue
    if (!(end.error instanceof CoeError)) throw end.error
    if (hint.uuid === undefined) unasked.push({ place: hint.host, why: end.error.message })
    else silent.push({ hint, error: end.error })
  }
  const [first, another] = found
  const hosts = [...found.map(f => f.reference), ...silent.map(s => s.hint.host)]
  // which one is meant cannot be told while one of several does not answer
  const other = silent.find(({ hint }) => hint.uuid !== first?.record.uuid)
  if (other) throw new Set(hosts).size > 1 ? several(ref, hosts) : other.error
  if (first && another && new Set(found.map(f => f.record.uuid)).size > 1) {
    throw new Set(hosts).size > 1 ? several(ref, hosts) : severalThere(ref, first.record, another.record)
  }
  return { found: first, unasked }
}

const lostText = ({ host, forget }: Hint): string =>
  `"${host}", where it was when it was last seen, is no cluster that can be found from here (if it is gone for good: ${forget})`

/** A host that is no longer in the kubeconfig tells nothing; one that does not answer is an error. */
function unlessMissing(error: unknown): undefined {
  if (error instanceof CoeError && (error.outcome === 'notFound' || error.outcome === 'usage')) return undefined
  throw error
}

const enter = async (deps: Standalone, named: string, timeoutMs?: number) => {
  const { access, reference } = await findAccess(deps, named)
  const title = `the API server of host "${reference}"`
  return { reference, host: deps.coe.connect(access, timeoutMs === undefined ? { title } : { title, timeoutMs }) }
}

/** The time limit of the search is none for what is done with the federation then. */
const lasting = async (
  deps: Standalone,
  { host, reference }: Pick<Located, 'host' | 'reference'>,
  { timeoutMs }: FederationPlace,
): Promise<ClusterApi> => (timeoutMs === undefined ? host : (await enter(deps, reference)).host)

interface Hint {
  host: string
  uuid?: string | undefined
  namespace?: string | undefined
  /** What makes this machine forget it. */
  forget: string
}

async function noted(deps: Standalone, ref: string, kubeconfig: Kubeconfig): Promise<Hint[]> {
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
  const all: Hint[] = [...contexts, ...remembered]
  return all.filter((h, i) => all.findIndex(o => o.host === h.host && (o.uuid ?? h.uuid) === h.uuid) === i)
}

const several = (ref: string, hosts: readonly string[]): CoeError =>
  conflict(`more than one host has a federation "${ref}": ${someOf([...new Set(hosts)])}`, {
    hint: 'say which one with --host',
  })

const severalThere = (ref: string, one: FederationRecord, other: FederationRecord): CoeError =>
  conflict(`there are several federations "${ref}" on this host: in ${one.namespace} and ${other.namespace}`, {
    hint: 'say which one with --namespace',
  })

/** In its own namespace, or in whichever it was put; half-made ones too, of which there is but a namespace. */
async function onHost(
  host: ClusterApi,
  ref: string,
  namespace: string | undefined,
  signal: AbortSignal,
  /** Gets the names of all that it has, for a search in vain. */
  names?: Set<string>,
): Promise<FederationRecord | undefined> {
  if (!looksLikeUuid(ref)) {
    const here = await readRecord(host, namespace ?? defaultNamespace(ref), signal)
    if (here?.name === ref) return here
  }
  const label = looksLikeUuid(ref) ? uuidLabel : federationLabel
  const objects = await recordObjects(host, names ? {} : { [label]: ref }, namespace, signal)
  for (const { metadata } of objects) names?.add(metadata.labels?.[federationLabel] ?? '')
  // one of another name that cannot be read is no reason not to find this one
  const [found, another] = objects.filter(object => object.metadata.labels?.[label] === ref).map(parseRecord)
  if (found && another) throw severalThere(ref, found, another)
  if (found) return found
  const byUuid = looksLikeUuid(ref)
  if (byUuid && namespace === undefined) return undefined
  const bare = await withoutRecord(host, namespace ?? defaultNamespace(ref), signal)
  return (byUuid ? bare?.uuid : bare?.name) === ref ? bare : undefined
}

export async function listRecords(
  host: ClusterApi,
  labels: Readonly<Record<string, string>>,
  namespace: string | undefined,
  signal: AbortSignal,
): Promise<FederationRecord[]> {
  return (await recordObjects(host, labels, namespace, signal)).map(parseRecord)
}

async function recordObjects(
  host: ClusterApi,
  labels: Readonly<Record<string, string>>,
  namespace: string | undefined,
  signal: AbortSignal,
): Promise<KubeObject[]> {
  const selection = { labels: labelSelector({ ...labels, [recordLabel]: 'federation' }), namespace, signal }
  return (await host.list(configMapKind, selection)).items
}

/** Half made, by a run that ended between the namespace and the record in it; or half deleted: the record goes first. */
export async function withoutRecord(
  host: ClusterApi,
  namespace: string,
  signal: AbortSignal,
): Promise<FederationRecord | undefined> {
  const live = await host.get(namespaceRef(namespace), { signal })
  const uuid = live?.metadata.labels?.[uuidLabel]
  const name = live?.metadata.labels?.[federationLabel]
  if (!live || uuid === undefined || name === undefined) return undefined
  return {
    name,
    uuid,
    namespace,
    driver: '',
    driverVersion: '',
    state: 'creating',
    settings: {},
    properties: {},
    contextName: name,
    host: { reference: host.name, uid: '' },
    history: [],
    createdAt: live.metadata.creationTimestamp ?? '',
    updatedAt: null,
    ending: endingOf(live),
  }
}
