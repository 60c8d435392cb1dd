/** Creates a federation, and writes its context into a kubeconfig on this machine. */
import { awaitAll } from '../../core/concurrency.ts'
import { type CoeStep, kubectlStep, standaloneStep } from '../../core/next-step.ts'
import type { FederationOutcome, FederationPlace, FederationRequest } from '../../model/backend.ts'
import type { ContextFile } from '../../model/local-state.ts'
import type { FederationNote } from '../../model/notes.ts'
import type { ScopedOperation } from '../../model/operation.ts'
import type { Standalone } from '../deps.ts'
import { checkJoining, type NamedCluster, namedJoining } from '../members/joining-members.ts'
import { refuseTakenGround } from '../records/ground.ts'
import type { MemberIntent } from '../records/intent.ts'
import { enterCluster } from '../references/references.ts'
import { asking, type Creation, checkNames, decideCreation, recordOn } from './creation.ts'
import { completedText } from './history.ts'
import { accessNow, type CreationEvents, creationFindings, creationPlan, type Made, makeFederation } from './make.ts'
import { plannedCreation } from './planned.ts'
import { firstCommand, refuseErrors } from './site.ts'
import { federationOf } from './view.ts'

/** A creation that is resumed from its record alone. */
interface Resumed {
  joining: readonly MemberIntent[]
  next: CoeStep
}

export async function createFederation(
  deps: Standalone,
  request: FederationRequest,
  place: FederationPlace,
  op: ScopedOperation,
  resumed?: Resumed,
): Promise<FederationOutcome> {
  checkNames(request, place)
  const { creation: decided, context } = await prepared(deps, request, place)
  const joining = await namedJoining(deps, request.joining ?? [], decided.driver.federations)
  const { entries } = deps.local
  await entries.refuseTaken(decided.wanted, () => accessNow(decided, op.signal), context.file)
  const members = await checkCreation(deps, decided, joining, op)
  const asked = asking(decided, resumed ? resumed.joining : members)
  const creation = resumed ? { ...asked, resume: resumed.next } : asked
  const plan = await creationPlan(creation, op)
  if (op.dryRun) {
    if (!creation.before) await refuseTakenGround(deps, creation)
    return plannedCreation(deps, { creation, context, plan, signal: op.signal })
  }
  const { contextName } = creation
  const events: CreationEvents = {
    recorded: ({ name, uuid, namespace }) =>
      deps.local.federations.remember([{ name, uuid, host: creation.host.reference, namespace }]),
    entered: (record, access) => entries.write({ ...record, contextName }, access, context.file),
  }
  return outcomeOf(creation, context, await makeFederation(deps, creation, plan, events, op))
}

interface Prepared {
  creation: Creation
  context: ContextFile
}

/** Decides what to create, given what is on the host, and the context to write on this machine. */
async function prepared(deps: Standalone, request: FederationRequest, place: FederationPlace): Promise<Prepared> {
  const { signal } = deps.call
  const entered = await enterCluster(deps, request.host, 'host')
  const [uid, there] = await awaitAll([
    entered.api.identity({ signal }),
    recordOn(entered, request.name, place, signal),
  ])
  const host = { ...entered, uid }
  const { entries } = deps.local
  const federation = { name: request.name, ...(there?.kubeconfigs ? { kubeconfigs: there.kubeconfigs } : {}) }
  const context = await entries.fileFor(federation, request.kubeconfigOut)
  const contextName =
    request.contextName ??
    (there && (await entries.nameOf(there, context.file))) ??
    there?.intent?.create?.contextName ??
    request.name
  const asked = { request, place, host, contextName, kubeconfigs: context.all }
  return { creation: await decideCreation(deps, asked, there), context }
}

/** Resolves with the clusters that are to join, if the federation is not created yet; otherwise their join checks them. */
async function checkCreation(
  deps: Standalone,
  creation: Creation,
  joining: readonly NamedCluster[],
  op: ScopedOperation,
): Promise<MemberIntent[]> {
  const { wanted, before } = creation
  const [findings, looked] = await awaitAll([
    creationFindings(creation, op.signal),
    checkJoining(deps, before?.state === 'created' ? [] : joining, wanted.uuid),
  ])
  refuseErrors([...findings, ...looked.findings], `create federation "${wanted.name}"`, op.report.note)
  return looked.members
}

function outcomeOf(creation: Creation, context: ContextFile, made: Made): FederationOutcome {
  const { host, driver, contextName } = creation
  const { name } = made.record
  const federation = federationOf({ ...made.record, contextName }, [], false)
  if (made.kind === 'incomplete') {
    return {
      result: 'accepted',
      federation,
      notes: [
        {
          kind: 'incomplete',
          name,
          host: host.reference,
          pending: made.pending,
          notStarted: made.notStarted,
          next: [
            standaloneStep('Look at it with', 'federation status', name),
            { ...creation.resume, why: 'The rest is done by' },
          ],
        },
      ],
    }
  }
  const { kind, record, server } = made
  return {
    result: kind,
    federation: { ...federation, status: 'CREATE_COMPLETE', status_reason: completedText('CREATE') },
    notes: [
      { kind: 'complete', result: kind, name, uuid: record.uuid, host: host.reference, server },
      useNote(contextName, context, firstCommand(driver.federations, record)),
    ],
  }
}

const useNote = (context: string, { file }: ContextFile, look: string): FederationNote => ({
  kind: 'use',
  next: [kubectlStep('Use it with', look, [], { kubeconfig: file, context })],
})
