/** Creates a federation, and puts the context that leads to it into a kubeconfig of this machine. */
import { mapLimit, together } from '../../core/concurrency.ts'
import { kubectlStep, standaloneStep } from '../../core/next-step.ts'
import type { FederationOutcome, FederationPlace, FederationRequest, Note } from '../../model/backend.ts'
import type { ContextFile } from '../../model/local-state.ts'
import type { ScopedOperation } from '../../model/operation.ts'
import type { Standalone } from '../deps.ts'
import { takenMembers } from '../members/taken-members.ts'
import { refuseTakenGround } from '../records/ground.ts'
import { checkMemberName } from '../records/names.ts'
import { enterCluster, findAccess } from '../references/references.ts'
import { type Creation, checkNames, decideCreation, recordOn } from './creation.ts'
import { completedText } from './history.ts'
import { accessNow, type CreationEvents, creationFindings, creationPlan, type Made, makeFederation } from './make.ts'
import { plannedCreation } from './planned.ts'
import { firstLook, heed } from './site.ts'
import { federationOf } from './view.ts'

export async function createFederation(
  deps: Standalone,
  request: FederationRequest,
  place: FederationPlace,
  op: ScopedOperation,
): Promise<FederationOutcome> {
  checkNames(request, place)
  const { creation, context } = await prepared(deps, request, place)
  await checkJoining(deps, creation)
  const { entries } = deps.local
  await entries.refuseTaken(creation.wanted, () => accessNow(creation, op.signal), context.file)
  await checkCreation(deps, creation, op)
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

/** What is to be made, over what the host has; and which context of this machine is to lead to it. */
async function prepared(deps: Standalone, request: FederationRequest, place: FederationPlace): Promise<Prepared> {
  const { signal } = deps.call
  const entered = await enterCluster(deps, request.host, 'host')
  const [uid, there] = await together([
    entered.api.identity({ signal }),
    recordOn(entered, request.name, place, signal),
  ])
  const host = { ...entered, uid }
  const { entries } = deps.local
  const federation = { name: request.name, ...(there?.kubeconfigs ? { kubeconfigs: there.kubeconfigs } : {}) }
  const context = await entries.fileFor(federation, request.kubeconfigOut)
  const contextName = request.contextName ?? (there && (await entries.nameOf(there, context.file))) ?? request.name
  const asked = { request, place, host, contextName, kubeconfigs: context.all }
  return { creation: await decideCreation(deps, asked, there), context }
}

/** A cluster that nobody knows, or a name that cannot be, ends it before anything is made. */
async function checkJoining(deps: Standalone, { request, driver }: Creation): Promise<void> {
  await mapLimit(request.joining ?? [], 8, async ({ cluster, name }) => {
    if (name !== undefined) checkMemberName(name, driver.federations, other => `"name: ${other}" in the file would do`)
    await findAccess(deps, cluster)
  })
}

async function checkCreation(deps: Standalone, creation: Creation, op: ScopedOperation): Promise<void> {
  const { wanted, before, request } = creation
  const found = await together([
    creationFindings(creation, op.signal),
    before?.state === 'created' ? [] : takenMembers(deps, request.joining ?? [], wanted.uuid),
  ])
  heed(found.flat(), `create federation "${wanted.name}"`, op.report.note)
}

function outcomeOf(creation: Creation, context: ContextFile, made: Made): FederationOutcome {
  const { host, driver, contextName } = creation
  const { name } = made.record
  const federation = federationOf({ ...made.record, contextName }, [], false)
  if (made.kind === 'begun') {
    // nothing here may sound like a success
    const open = made.notStarted.length ? `; not begun: ${made.notStarted.join(', ')}` : ''
    return {
      result: 'accepted',
      federation,
      told: [
        {
          text: `Federation ${name} is begun on host "${host.reference}" and not finished; what starts there without us: ${made.pending.join(', ')}${open}`,
          next: [
            standaloneStep('Look at it with', 'federation status', name),
            { ...creation.resume, why: 'The rest is done by' },
          ],
        },
      ],
    }
  }
  return {
    result: made.kind,
    federation: { ...federation, status: 'CREATE_COMPLETE', status_reason: completedText('CREATE') },
    told: [
      made.kind === 'unchanged'
        ? `Federation ${name} exists already (${made.record.uuid}): unchanged`
        : `Federation ${name} is ${made.kind} on host "${host.reference}": its API is ${made.server}`,
      useNote(contextName, context, firstLook(driver.federations, made.record)),
    ],
  }
}

const useNote = (context: string, { file }: ContextFile, look: string): Note => ({
  text: '',
  next: [kubectlStep('Use it with', look, [], { kubeconfig: file, context })],
})
