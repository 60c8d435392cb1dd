/** The plan that makes a cluster a member: an account for the federation there, its keys here, and then it is Ready or told why not. */
import type { ClusterApi } from '../../../kube/api/cluster-api.ts'
import type { Owner, Plan, Step } from '../../../plan/step.ts'
import { type KeyOutputs, type KeySettings, keySteps } from '../certificates/key-steps.ts'
import { cluster, type Membership } from '../templates/membership.ts'
import { becomesReady } from './members.ts'

export interface JoinSettings extends KeySettings {
  federation: string
  membership: Membership
  member: ClusterApi
  memberTitle: string
  api(): Promise<ClusterApi>
  owner: Owner
  observed?: Plan['observed']
}

export function joinPlan(settings: JoinSettings): Plan<KeyOutputs> {
  const { federation, membership, before } = settings
  return {
    title: `join "${membership.name}" to federation "${federation}"`,
    steps: steps(settings),
    clusters: {
      member: { title: settings.memberTitle, connect: async () => settings.member },
      federation: { title: `federation "${federation}"`, connect: settings.api },
      ...(before ? { host: { title: before.hostTitle, connect: async () => before.host } } : {}),
    },
    owner: settings.owner,
    ...(settings.observed ? { observed: settings.observed } : {}),
  }
}

function steps(settings: JoinSettings): Step<KeyOutputs>[] {
  const { membership, before, clock } = settings
  return [
    ...keySteps(settings),
    {
      id: 'cluster',
      title: 'member in the federation',
      // what was seen of it with the keys before says nothing about these
      needs: ['credentials', ...(before ? ['renewal'] : [])],
      on: 'federation',
      want: () => [cluster(membership)],
      // `ready` says better what keeps a member from being Ready, and what helps
      awaitObjects: false,
      ready: async (_, tools, [made]) => made && becomesReady(made, clock, tools),
      timeoutMs: 120_000,
    },
  ]
}
