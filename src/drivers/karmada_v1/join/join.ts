/** The plan that joins a cluster: creates an account on the member, stores its keys in the federation, and waits until it is Ready. */
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
      title: 'member registered in the federation',
      // a Ready condition from before the keys were renewed says nothing about the new keys
      needs: ['credentials', ...(before ? ['renewal'] : [])],
      on: 'federation',
      want: () => [cluster(membership)],
      // `ready` explains better why a member is not Ready, and what helps
      awaitObjects: false,
      ready: async (_, tools, [made]) => made && becomesReady(made, clock, tools),
      timeoutMs: 120_000,
    },
  ]
}
