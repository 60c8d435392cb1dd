/** Which host has a federation: where it is said, noted or remembered to be, else wherever a context leads. */

import { resultOf } from '../../core/concurrency.ts'
import { CoeError, conflict, notFound } from '../../core/errors.ts'
import { optionArgs, standaloneStep } from '../../core/next-step.ts'
import { didYouMean, someOf } from '../../core/text.ts'
import type { ClusterApi } from '../../kube/api/cluster-api.ts'
import type { FederationPlace } from '../../model/backend.ts'
import type { HostHint } from '../../model/local-state.ts'
import type { Standalone } from '../deps.ts'
import { type Located, noFederation, onHost, severalThere } from '../records/on-host.ts'
import type { FederationRecord } from '../records/record.ts'
import { findAccess } from './references.ts'
import { nowhere, scan, type Unasked } from './scan.ts'

export async function findFederation(deps: Standalone, ref: string, place: FederationPlace): Promise<Located> {
  const located =
    place.host === undefined ? await search(deps, ref, place) : await onNamed(deps, ref, place, place.host)
  const { record, reference } = located
  const { name, uuid, namespace } = record
  await deps.local.federations.remember([{ name, uuid, namespace, host: reference }])
  return { ...located, record: await recordHere(deps, record, reference) }
}

/** With what its host and its context are called on this machine. */
export async function recordHere(
  deps: Standalone,
  record: FederationRecord,
  reference: string,
): Promise<FederationRecord> {
  const here = { ...record, host: { ...record.host, reference } }
  return { ...here, contextName: (await deps.local.entries.nameOf(here)) ?? record.name }
}

/** A host that was named is remembered though it does not answer: a search without its name must not pass it over. */
async function onNamed(deps: Standalone, ref: string, place: FederationPlace, named: string): Promise<Located> {
  const { host, reference } = await enter(deps, named, place.timeoutMs)
  const look = await resultOf(onHost(host, ref, place.namespace, deps.call.signal))
  if (!look.ok) {
    await deps.local.federations.rememberPlace(ref, reference)
    throw look.error
  }
  if (look.value) return { record: look.value, reference, host: await lasting(deps, { host, reference }, place) }
  if (place.namespace === undefined) await deps.local.federations.forgetPlace(ref, reference)
  throw notFound(`there is no federation "${ref}" on host "${reference}" (standalone mode)`, {
    next: [standaloneStep('see those that it has', 'federation list', ...optionArgs('host', reference))],
    details: noFederation,
  })
}

async function search(deps: Standalone, ref: string, place: FederationPlace): Promise<Located> {
  // as it was before: another run may take the federation away meanwhile, and its context
  const contexts = await deps.local.contexts()
  const { found, unasked } = await followed(deps, ref, place, await contexts.hints(ref))
  if (found) return found
  const names = new Set<string>()
  const seen = await scan(deps, await contexts.clusters(), place.timeoutMs, host =>
    onHost(host, ref, place.namespace, deps.call.signal, names),
  )
  const [first] = seen.found
  const places = seen.found.map(f => f.reference)
  if (first && new Set(seen.found.map(f => f.value.uuid)).size > 1) throw several(ref, places)
  if (first) return { record: first.value, ...(await enter(deps, first.reference)) }
  const known = [...(await deps.local.federations.known()).map(e => e.name), ...names].filter(name => name !== ref)
  // one that was only named may be among the contexts as well, and have answered by now
  const others = unasked.filter(u => !seen.asked.includes(u.place) && !seen.unasked.some(s => s.place === u.place))
  throw nowhere(ref, { asked: seen.asked, unasked: [...others, ...seen.unasked] }, didYouMean(ref, known))
}

/** What was noted may be of a federation that is gone: only what is there counts. */
async function followed(
  deps: Standalone,
  ref: string,
  place: FederationPlace,
  hints: readonly HostHint[],
): Promise<{ found: Located | undefined; unasked: Unasked[] }> {
  const found: Located[] = []
  const silent: { hint: HostHint; error: CoeError }[] = []
  const unasked: Unasked[] = []
  for (const hint of hints) {
    const look = async () => {
      const entered = await enter(deps, hint.host, place.timeoutMs).catch(unlessMissing)
      if (!entered) return void unasked.push({ place: hint.host, why: lostText(hint) })
      const record = await onHost(entered.host, ref, place.namespace ?? hint.namespace, deps.call.signal)
      if (record && (hint.uuid === undefined || record.uuid === hint.uuid)) {
        found.push({ record, reference: hint.host, host: await lasting(deps, entered, place) })
      } else if (place.namespace === undefined) await deps.local.federations.forgetPlace(ref, hint.host)
    }
    const end = await resultOf(look())
    deps.call.signal.throwIfAborted()
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

const lostText = ({ host, forget }: HostHint): string =>
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

const several = (ref: string, hosts: readonly string[]): CoeError =>
  conflict(`more than one host has a federation "${ref}": ${someOf([...new Set(hosts)])}`, {
    hint: 'say which one with --host',
  })
