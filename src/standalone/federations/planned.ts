/** What a creation would do, found without a write: the steps for a new federation, or the differences of an existing one. */
import type { Plan } from '../../drivers/driver-api.ts'
import type { FederationOutcome } from '../../model/backend.ts'
import type { ContextFile } from '../../model/local-state.ts'
import { isUnchanged } from '../../model/planned-change.ts'
import { viewChanges } from '../../plan/changes.ts'
import { viewPlan } from '../../plan/dry-run.ts'
import type { Standalone } from '../deps.ts'
import type { FederationRecord } from '../records/record.ts'
import type { Creation } from './creation.ts'
import { opened } from './make.ts'
import { differing } from './record-changes.ts'
import { plannedOf } from './site.ts'
import { federationOf } from './view.ts'

interface Wished {
  creation: Creation
  context: ContextFile
  plan: Plan
  signal: AbortSignal
}

export async function plannedCreation(deps: Standalone, wished: Wished): Promise<FederationOutcome> {
  const { creation, plan, signal } = wished
  const { wanted, before, request } = creation
  const { uuid, ...federation } = federationOf(wanted, [], false)
  if (!before) {
    const view = await viewPlan(plan, signal)
    return { result: 'planned', federation, planned: plannedOf(view), notes: [{ kind: 'plan', view }] }
  }
  const view = await viewChanges({ ...plan, force: request.adopt ?? false }, signal)
  const besides = changesOf(before, wanted)
  // if the keys change, the new context is not known yet
  if (view.steps.every(isUnchanged) && !(await isContextWritten(deps, wished))) {
    besides.push(`context "${wanted.contextName}"`)
  }
  const same = view.steps.every(isUnchanged) && besides.length === 0
  return {
    result: same ? 'unchanged' : 'planned',
    federation: { ...federation, uuid },
    ...(before.state === 'created' ? {} : { unfinished: true }),
    planned: [...plannedOf(view), ...besides.map(target => ({ action: 'change', target }))],
    notes: [{ kind: 'plan', view, also: besides }],
  }
}

async function isContextWritten(deps: Standalone, { creation, context, signal }: Wished): Promise<boolean> {
  const access = await opened(creation, signal).access({ answering: true })
  return deps.local.entries.isWritten(creation.wanted, access, context.file)
}

const words = {
  settings: 'settings',
  properties: 'properties',
  kubeconfigs: 'the files that lead to it',
} as const

function changesOf(before: FederationRecord, wanted: FederationRecord): string[] {
  const differs = differing(before, wanted).map(key => words[key])
  const all = [...differs, ...(before.state === 'created' ? [] : ['that it is finished'])]
  return all.length ? [`the federation's record: ${all.join(', ')}`] : []
}
