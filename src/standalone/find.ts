/** Which host has a federation: where it is said, noted or remembered to be, else wherever a context leads. */
import { coeExtension, loadKubeconfig } from '../config/kubeconfig.ts'
import { mapLimit, settle } from '../core/concurrency.ts'
import { CoeError, conflict, notFound } from '../core/errors.ts'
import { shellWord } from '../core/shell-word.ts'
import { didYouMean } from '../core/text.ts'
import type { ClusterApi } from '../kube/cluster-api.ts'
import type { FederationPlace } from '../model/backend.ts'
import { readIndex } from './local-index.ts'
import {
  configMapKind,
  defaultNamespace,
  federationLabel,
  looksLikeUuid,
  namespaceRef,
  recordLabel,
  uuidLabel,
} from './names.ts'
import { type FederationRecord, parseRecord, readRecord } from './record.ts'
import { findAccess } from './references.ts'
import type { Standalone } from './room.ts'

export interface Located {
  record: FederationRecord
  /** A cluster reference. */
  reference: string
  host: ClusterApi
}

export async function findFederation(room: Standalone, ref: string, place: FederationPlace): Promise<Located> {
  if (place.host !== undefined) {
    const host = await enter(room, place.host)
    const record = await onHost(host, ref, place.namespace, room.signal)
    if (record) return { record, reference: place.host, host }
    throw notFound(`there is no federation "${ref}" on host "${place.host}" (standalone mode)`, {
      hint: `coe --standalone federation list --host ${shellWord(place.host)} shows those that it has`,
    })
  }
  const found = await followed(room, ref, place, await noted(room, ref))
  if (found) return found
  return scan(room, ref, place)
}

/** What was noted may be of a federation that is gone: only what is there counts. */
async function followed(
  room: Standalone,
  ref: string,
  place: FederationPlace,
  hints: readonly Hint[],
): Promise<Located | undefined> {
  const hosts = hints.map(h => h.host)
  const found: Located[] = []
  for (const hint of hints) {
    const look = async () => {
      const host = await enter(room, hint.host).catch(unlessMissing)
      const record = host && (await onHost(host, ref, place.namespace ?? hint.namespace, room.signal))
      if (!host || !record || (hint.uuid !== undefined && record.uuid !== hint.uuid)) return
      found.push({ record, reference: hint.host, host })
    }
    const end = await settle(look())
    room.signal.throwIfAborted()
    // which one is meant cannot be told while one of several does not answer
    if (!end.ok) throw new Set(hosts).size > 1 ? several(ref, hosts) : end.error
  }
  const [first, another] = found
  if (first && another && new Set(found.map(f => f.record.uuid)).size > 1) {
    const places = found.map(f => f.reference)
    throw new Set(places).size > 1 ? several(ref, places) : severalThere(ref, first.record, another.record)
  }
  return first
}

/** A host that is no longer in the kubeconfig tells nothing; one that does not answer is an error. */
function unlessMissing(error: unknown): undefined {
  if (error instanceof CoeError && (error.outcome === 'notFound' || error.outcome === 'usage')) return undefined
  throw error
}

const enter = async (room: Standalone, reference: string): Promise<ClusterApi> => {
  const { access, reference: full } = await findAccess(room, reference)
  return room.coe.connect(access, { title: `the API server of host "${full}"` })
}

interface Hint {
  host: string
  uuid?: string | undefined
  namespace?: string | undefined
}

async function noted(room: Standalone, ref: string): Promise<Hint[]> {
  const [kubeconfig, index] = await Promise.all([loadKubeconfig(room.world), readIndex(room)])
  const contexts = [...kubeconfig.contexts.values()]
    .map(entry => ({ name: entry.name, note: coeExtension(entry) }))
    .filter(
      ({ name, note }) =>
        note?.federation !== undefined && (name === ref || note.federation === ref || note.uuid === ref),
    )
    .map(({ note }) => ({
      host: String(note?.host),
      uuid: String(note?.uuid),
      namespace: note?.namespace === undefined ? undefined : String(note.namespace),
    }))
  const remembered = index.filter(e => e.name === ref || e.uuid === ref)
  const all: Hint[] = [...contexts, ...remembered]
  return all.filter((h, i) => all.findIndex(o => o.host === h.host && o.uuid === h.uuid) === i)
}

const several = (ref: string, hosts: readonly string[]): CoeError =>
  conflict(`more than one host has a federation "${ref}": ${[...new Set(hosts)].join(', ')}`, {
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
): Promise<FederationRecord | undefined> {
  if (!looksLikeUuid(ref)) {
    const here = await readRecord(host, namespace ?? defaultNamespace(ref), signal)
    if (here?.name === ref) return here
  }
  const [found, another] = await listRecords(
    host,
    `${looksLikeUuid(ref) ? uuidLabel : federationLabel}=${ref}`,
    namespace,
    signal,
  )
  if (found && another) throw severalThere(ref, found, another)
  return found ?? (looksLikeUuid(ref) ? undefined : halfMade(host, ref, namespace ?? defaultNamespace(ref), signal))
}

export async function listRecords(
  host: ClusterApi,
  selector: string | undefined,
  namespace: string | undefined,
  signal: AbortSignal,
): Promise<FederationRecord[]> {
  const labels = [selector, `${recordLabel}=federation`].filter(Boolean).join(',')
  return (await host.list(configMapKind, { labels, namespace, signal })).items.map(parseRecord)
}

/** A run that ended between the namespace and the record in it. */
async function halfMade(
  host: ClusterApi,
  name: string,
  namespace: string,
  signal: AbortSignal,
): Promise<FederationRecord | undefined> {
  const live = await host.get(namespaceRef(namespace), { signal })
  const uuid = live?.metadata.labels?.[uuidLabel]
  if (!live || uuid === undefined || live.metadata.labels?.[federationLabel] !== name) return undefined
  if (live.metadata.deletionTimestamp) return undefined
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
    host: { reference: '', uid: '' },
    history: [],
    createdAt: live.metadata.creationTimestamp ?? '',
    updatedAt: null,
  }
}

const atOnce = 8

async function scan(room: Standalone, ref: string, place: FederationPlace): Promise<Located> {
  const contexts = await candidates(room)
  const silent: string[] = []
  const looks = await mapLimit(contexts, atOnce, async context => {
    const look = await settle(
      room.probe(context).then(async host => ({ host, record: await onHost(host, ref, place.namespace, room.signal) })),
    )
    room.signal.throwIfAborted()
    if (!look.ok) silent.push(context)
    return look.ok && look.value.record ? { ...look.value, record: look.value.record, reference: context } : undefined
  })
  const found = looks.filter(l => l !== undefined)
  const [first] = found
  if (new Set(found.map(l => l.record.uuid)).size > 1)
    throw several(
      ref,
      found.map(l => l.reference),
    )
  if (first) return { ...first, host: await enter(room, first.reference) }
  const known = await readIndex(room)
  const before = known.find(e => e.name === ref)
  throw notFound(`there is no federation "${ref}" on any cluster of the kubeconfig (standalone mode)`, {
    hint: [
      before
        ? `it was on "${before.host}" when it was last seen`
        : didYouMean(
            ref,
            known.map(e => e.name),
          ),
      silent.length
        ? `these could not be asked: ${silent.sort().join(', ')}`
        : `asked: ${contexts.join(', ') || 'no context'}`,
    ]
      .filter(Boolean)
      .join('\n'),
  })
}

/** Contexts that lead to clusters, and not to federations that we made. */
export async function candidates(room: Standalone): Promise<string[]> {
  const { contexts } = await loadKubeconfig(room.world)
  return (await room.coe.contexts()).filter(name => coeExtension(contexts.get(name))?.federation === undefined)
}
