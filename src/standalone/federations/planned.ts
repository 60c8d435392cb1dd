/** What a creation would do, told without a write: the plan of what is not there, and of what is, how it stands. */
import type { OpenFederation, Plan } from '../../drivers/driver-api.ts'
import type { FederationOutcome } from '../../model/backend.ts'
import { viewPlan } from '../../plan/dry-run.ts'
import { isUnchanged, planText } from '../../plan/plan-text.ts'
import { viewStanding } from '../../plan/standing.ts'
import type { Standalone } from '../deps.ts'
import { contextStands } from '../local/context-entry.ts'
import type { WayIn } from '../local/way-in.ts'
import type { FederationRecord } from '../records/record.ts'
import type { Intent } from './intent.ts'
import { plannedOf } from './site.ts'
import { federationOf } from './view.ts'

interface Wished {
  intent: Intent
  way: WayIn
  plan: Plan
  federation: OpenFederation
  signal: AbortSignal
}

export async function plannedCreation(deps: Standalone, wished: Wished): Promise<FederationOutcome> {
  const { intent, way, plan, signal } = wished
  const { record, before, request } = intent
  const { uuid, ...federation } = federationOf(record, [], false)
  if (!before) {
    const view = await viewPlan(plan, signal)
    return { result: 'planned', federation, planned: plannedOf(view), told: [planText(view)] }
  }
  const view = await viewStanding({ ...plan, force: request.adopt ?? false }, signal)
  const besides = recordChanges(before, record, way)
  // of keys that will be others nobody knows yet what leads there
  if (view.steps.every(isUnchanged) && !(await wayStands(deps, wished))) besides.push(`context "${record.contextName}"`)
  const same = view.steps.every(isUnchanged) && besides.length === 0
  return {
    result: same ? 'unchanged' : 'planned',
    federation: { ...federation, uuid },
    ...(before.state === 'created' ? {} : { unfinished: true }),
    planned: [...plannedOf(view), ...besides.map(target => ({ action: 'change', target }))],
    told: [planText(view, besides)],
  }
}

async function wayStands(deps: Standalone, { intent: { record }, way, federation }: Wished): Promise<boolean> {
  return contextStands(deps, record, await federation.access({ answering: true }), way.file)
}

const words = {
  settings: 'settings',
  properties: 'properties',
  kubeconfigs: 'the files that lead to it',
} as const

function recordChanges(before: FederationRecord, record: FederationRecord, way: WayIn): string[] {
  const differs = differing(before, intended(record, way)).map(key => words[key])
  const all = [...differs, ...(before.state === 'created' ? [] : ['that it is finished'])]
  return all.length ? [`the federation's record: ${all.join(', ')}`] : []
}

/** What a creation writes into the record besides. */
export const intended = ({ settings, properties }: FederationRecord, way: WayIn) => ({
  settings,
  properties,
  kubeconfigs: way.all,
})

/** What the record does not say yet. */
export const differing = (before: FederationRecord, after: ReturnType<typeof intended>) =>
  (Object.keys(after) as (keyof typeof after)[]).filter(
    key => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  )
