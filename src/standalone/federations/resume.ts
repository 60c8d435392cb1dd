/** Finishes the changes of a federation that its record shows as unfinished, whichever user began them. */
import { type CoeError, conflict, usage } from '../../core/errors.ts'
import { type CoeStep, optionArgs, standaloneStep } from '../../core/next-step.ts'
import { someOf } from '../../core/text.ts'
import type { Options } from '../../drivers/driver-api.ts'
import { takeLock } from '../../kube/ownership/lease.ts'
import type { FederationPlace, MemberOutcome } from '../../model/backend.ts'
import type { DriverCommand } from '../../model/driver-option.ts'
import type { ScopedOperation } from '../../model/operation.ts'
import type { ResumedChange, ResumeOptions } from '../../model/resume.ts'
import type { Standalone } from '../deps.ts'
import { finishJoins } from '../members/finish-joins.ts'
import { listMembers, type MemberRecord } from '../members/member-record.ts'
import { finishUnjoins } from '../members/unjoin.ts'
import type { CreationIntent, Intent, MemberIntent, UnjoinIntent } from '../records/intent.ts'
import { defaultNamespace, labelsOf, recordName } from '../records/names.ts'
import type { Located } from '../records/on-host.ts'
import { findFederation } from '../references/find.ts'
import { createFederation } from './create.ts'
import { deleteFederation } from './delete.ts'
import { type Observed, observe } from './observe.ts'
import { checkedOptions } from './settings.ts'
import { placeArgs } from './site.ts'
import { unfinishedChanges, unfinishedIntent } from './unfinished.ts'
import { updateProperties } from './update.ts'

/** What the parts of one resumption share. */
interface Resumption {
  deps: Standalone
  located: Located
  /** Its place: without it, another federation of that name might be found. */
  place: FederationPlace
  members: readonly MemberRecord[]
  how: ResumeOptions
  op: ScopedOperation
  next: CoeStep
  /** The driver's options for a command. */
  options(command: DriverCommand, recorded?: Options): Promise<Options>
}

/** Resolves with an empty list if nothing was left to do. */
export async function resumeFederation(
  deps: Standalone,
  ref: string,
  where: FederationPlace,
  op: ScopedOperation,
  how: ResumeOptions,
): Promise<ResumedChange[]> {
  const located = await atRest(deps, await observe(deps, ref, where), op)
  const { record, reference, host } = located
  const members = await listMembers(host, record, op.signal)
  const intent = unfinishedIntent(record, members)
  if (!intent) return []
  refuseUnknown(located)
  refuseStrangers(intent, members, how)
  refuseUnconfirmed(located, members, how, op)
  noteUnusedOptions(intent, how, op)
  const place = { host: reference, namespace: record.namespace }
  const next = standaloneStep('resume', 'federation resume', record.name, ...placeArgs(shortPlace(located)))
  const options = optionsFor(deps, located, how)
  return resumeAll({ deps, located, place, members, how, op, next, options }, intent)
}

async function resumeAll(resumption: Resumption, intent: Intent): Promise<ResumedChange[]> {
  const { deps, located, place, op } = resumption
  const { name } = located.record
  if (intent.delete) {
    const { options, ...deletion } = intent.delete
    const driverOptions = await resumption.options('federation delete', options)
    const how = { ...deletion, driverOptions, contexts: resumption.how.contexts }
    return [{ verb: 'delete', outcome: await deleteFederation(deps, name, place, op, how) }]
  }
  const changes: ResumedChange[] = []
  if (intent.create) changes.push(await resumeCreation(resumption, intent.create, intent.join ?? []))
  // until the federation is created, the rest cannot be planned in detail
  if (op.dryRun && located.record.state !== 'created') return [...changes, ...plannedMembers(intent)]
  if (intent.update) {
    changes.push({ verb: 'update', outcome: await updateProperties(deps, name, place, intent.update, op) })
  }
  if (intent.unjoin) {
    changes.push({ verb: 'unjoin', outcomes: await resumeUnjoins(resumption, intent.unjoin) })
  }
  if (intent.join) {
    changes.push({ verb: 'join', outcomes: await resumeJoins(resumption, intent.join) })
  }
  return changes
}

async function resumeCreation(
  { deps, located, place, how, op, next, options: optionsOf }: Resumption,
  { settings, properties, options, notKept, adopt, contextName }: CreationIntent,
  joining: readonly MemberIntent[],
): Promise<ResumedChange> {
  const { record } = located
  const given = await optionsOf('federation create', options)
  const missing = notKept.filter(option => !(option in given))
  if (missing.length > 0) {
    op.report.note(
      `${missing.map(option => `--${option}`).join(', ')} was given when this began, and what it named is not kept: if it is missing, give it again`,
    )
  }
  const request = {
    name: record.name,
    host: place.host ?? '',
    properties,
    defaults: {},
    engine: { driver: record.driver, options: { ...settings, ...given } },
    contextName: how.contextName ?? (record.version === undefined ? contextName : undefined),
    kubeconfigOut: how.kubeconfigOut,
    adopt,
  }
  return { verb: 'create', outcome: await createFederation(deps, request, place, op, { joining, next }) }
}

async function resumeJoins(
  { deps, located, place, how, op, next, options }: Resumption,
  intents: readonly MemberIntent[],
): Promise<MemberOutcome[]> {
  const federation = { name: located.record.name, place, host: located }
  const outcomes: MemberOutcome[] = []
  for (const alike of grouped(intents, one => JSON.stringify(one.options ?? {}))) {
    const driverOptions = await options('federation join', alike[0]?.options)
    outcomes.push(...(await finishJoins(deps, federation, alike, op, { how, next, driverOptions })))
  }
  return outcomes
}

/** Members that have left already are only removed from the recorded intent. */
async function resumeUnjoins(
  { deps, located, how, op, next, options: optionsOf }: Resumption,
  intents: readonly UnjoinIntent[],
): Promise<MemberOutcome[]> {
  const outcomes: MemberOutcome[] = []
  for (const alike of grouped(intents, ({ name: _, ...rest }) => JSON.stringify(rest))) {
    const { workloads, force, options } = alike[0] as UnjoinIntent
    const driverOptions = await optionsOf('federation unjoin', options)
    const unjoining = { workloads, force, contexts: how.contexts, driverOptions, resume: next }
    const names = alike.map(({ name }) => name)
    outcomes.push(...(await finishUnjoins(deps, located, names, op, unjoining)))
  }
  return outcomes
}

/** Intents with the same options are handled together, under one lock. */
function grouped<T>(all: readonly T[], key: (one: T) => string): T[][] {
  const groups = new Map<string, T[]>()
  for (const one of all) groups.set(key(one), [...(groups.get(key(one)) ?? []), one])
  return [...groups.values()]
}

/** Merges the recorded options with those of this run that the driver takes for the command. */
function optionsFor(
  deps: Standalone,
  { record }: Located,
  { options: given = {} }: ResumeOptions,
): Resumption['options'] {
  return async (command, asked = {}) => {
    if (Object.keys(given).length === 0) return asked
    const driver = await deps.drivers.federations(
      record.driver || (await deps.drivers.defaultFederations()),
      record.driver ? record.driverVersion : undefined,
    )
    checkedOptions(driver, 'federation resume', { options: given })
    const takes = new Set(driver.options.filter(o => o.commands.includes(command)).map(o => o.name))
    return { ...asked, ...Object.fromEntries(Object.entries(given).filter(([name]) => takes.has(name))) }
  }
}

function plannedMembers({ join, unjoin }: Intent): ResumedChange[] {
  const planned = (action: 'join' | 'unjoin', all: readonly { name: string }[] | undefined): ResumedChange[] =>
    all?.length
      ? [
          {
            verb: action,
            outcomes: all.map(({ name }) => ({
              cluster: name,
              result: 'planned' as const,
              planned: [{ action, target: `cluster ${name}` }],
            })),
          },
        ]
      : []
  return [...planned('unjoin', unjoin), ...planned('join', join)]
}

/** Waits for a run that is still working: only then is it known what is left. A dry run does not wait. */
async function atRest(deps: Standalone, located: Observed, op: ScopedOperation): Promise<Located> {
  const { record, host, reference } = located
  if (record.version === undefined || record.ending || !located.working) return located
  const { name, uuid, namespace } = record
  const lock = await takeLock({
    world: deps.world,
    api: host,
    namespace,
    name: recordName,
    what: `federation "${name}"`,
    doing: 'resume',
    labels: labelsOf(name, uuid),
    patienceMs: op.dryRun ? 0 : op.waitTimeoutMs,
    signal: op.signal,
    note: text => op.report.note(text),
  })
  await lock.release()
  return findFederation(deps, uuid, { host: reference, namespace })
}

/** Refuses a namespace without a record: an older coe was killed before it wrote one, or the data were kept. */
function refuseUnknown({ record, reference }: Located): void {
  const { name, version, driver, ending } = record
  if (version !== undefined || driver !== '' || ending) return
  const at = optionArgs('host', reference)
  throw conflict(`federation "${name}" is a namespace without a record: what it was to be is not known`, {
    next: [
      standaloneStep('make it', 'federation create', name, ...at),
      standaloneStep('or delete what is there', 'federation delete', name, ...at),
    ],
  })
}

/** Refuses a context for a member without unfinished changes, which would be ignored. */
function refuseStrangers(intent: Intent, members: readonly MemberRecord[], { contexts = {} }: ResumeOptions): void {
  const unfinished = [...(intent.join ?? []), ...(intent.unjoin ?? []), ...(intent.delete ? members : [])]
  const names = [...new Set(unfinished.map(one => one.name))]
  const stranger = Object.keys(contexts).find(name => !names.includes(name))
  if (stranger === undefined) return
  throw usage(`--member-context: "${stranger}" is not a member with which something is left to do`, {
    hint: names.length ? `there are: ${someOf(names)}` : 'nothing is left to do with any member',
  })
}

/** A note, not a refusal: an earlier run of the same command may have finished the creation already. */
function noteUnusedOptions(
  { create }: Intent,
  { contextName, kubeconfigOut }: ResumeOptions,
  op: ScopedOperation,
): void {
  if (create) return
  const unused = [contextName && '--context-name', kubeconfigOut && '--kubeconfig-out'].filter(Boolean)
  if (unused.length > 0) {
    op.report.note(`${unused.join(' and ')} not used: only an unfinished creation writes a context`)
  }
}

/** Deletions need to be confirmed a second time: the user who finishes a change may not be the one who began it. */
function refuseUnconfirmed(
  { record }: Located,
  members: readonly MemberRecord[],
  { confirmed = [] }: ResumeOptions,
  { dryRun }: ScopedOperation,
): void {
  if (dryRun) return
  const open = unfinishedChanges(record, members).find(one => one.deletes && !confirmed.includes(one.verb))
  if (open) throw unconfirmed(record.name, open.verb)
}

const unconfirmed = (name: string, verb: string): CoeError =>
  conflict(`another run has begun to ${verb} meanwhile, which needs to be confirmed`, {
    next: [standaloneStep('look at it, and resume it', 'federation resume', name)],
  })

/** Leaves the default namespace out, to keep the command short. */
const shortPlace = ({ record: { name, namespace }, reference }: Located): FederationPlace => ({
  host: reference,
  namespace: namespace === defaultNamespace(name) ? undefined : namespace,
})
