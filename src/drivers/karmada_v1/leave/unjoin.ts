/** The plan by which a member leaves: with its workloads, without them, or leaving all where it is because it does not answer. */

import type { CoeStep } from '../../../core/next-step.ts'
import type { Clock } from '../../../core/world.ts'
import type { ClusterApi } from '../../../kube/api/cluster-api.ts'
import { type KubeObject, type ObjectRef, refText } from '../../../kube/api/object.ts'
import type { Owner, Plan, Step } from '../../../plan/step.ts'
import { type KeyOutputs, type KeySettings, keySteps } from '../certificates/key-steps.ts'
import { becomesReady } from '../join/members.ts'
import { role, roleRef } from '../templates/member.ts'
import { clusterRef, secretRefs } from '../templates/membership.ts'
import { type Departure, detach, left } from './detach.ts'
import { unjoinByForce, whereSilent } from './silent.ts'
import { dropRoles, keepThere, type MemberWay, withdraw } from './withdraw.ts'
import { listWorks, preserve } from './works.ts'

export type UnjoinOutputs = KeyOutputs & {
  /** What stays on the member. */
  kept: ObjectRef[]
  /** The federation does not know it any more: its controllers have taken nothing away there. */
  unknown: boolean
  /** The member's namespace in the federation, on its way out; undefined: it is gone. */
  closing: KubeObject | undefined
}

export interface UnjoinSettings extends Departure {
  federation: string
  /** Mends it. */
  creation: CoeStep
  api(): Promise<ClusterApi>
  memberTitle: string
  /** Undefined: there is no way to it any more, and nothing there is touched. */
  way: MemberWay | undefined
  /** The member refuses the federation's keys: what new ones are made with. */
  keys: KeySettings | undefined
  clock: Clock
  owner: Owner
}

export function unjoinPlan(settings: UnjoinSettings): Plan<UnjoinOutputs> {
  const { federation, name, way, keys } = settings
  const { host, hostTitle = '' } = keys?.before ?? {}
  return {
    title: `unjoin "${name}" from federation "${federation}"`,
    steps: steps(settings),
    clusters: {
      federation: { title: `federation "${federation}"`, connect: settings.api },
      ...(way ? { member: { title: settings.memberTitle, connect: async () => way.api } } : {}),
      ...(host ? { host: { title: hostTitle, connect: async () => host } } : {}),
    },
    owner: settings.owner,
  }
}

function steps(settings: UnjoinSettings): Step<UnjoinOutputs>[] {
  const { name, way, keep, keys } = settings
  const fenced = keep && way !== undefined
  const renewed = keys ? ['seen'] : []
  return [
    ...(keys ? [...(keySteps(keys) as Step<UnjoinOutputs>[]), seen(settings)] : []),
    ...(fenced ? [fence(name, renewed)] : []),
    preserving(settings, fenced ? ['fence'] : renewed),
    {
      id: 'detach',
      title: 'out of the federation',
      needs: ['preserve'],
      on: 'federation',
      describe: () => [`deletes the Cluster ${name} and its Works in the federation`],
      gives: ['closing', 'unknown'],
      next: [unjoinByForce(`if the federation cannot get at "${name}" any more`, settings.federation, name)],
      act: async (_, tools) => detach(settings, settings.clock, tools),
    },
    {
      id: 'gone',
      title: 'its controllers done with it',
      needs: ['detach'],
      on: 'federation',
      describe: () => ['waits until the Cluster is gone'],
      act: async ({ closing }, tools) => left(settings, closing, settings.clock, tools),
    },
    ...(way
      ? [
          {
            id: 'withdraw',
            title: "the federation's account off the member",
            needs: ['detach'],
            on: 'member',
            describe: () => [`deletes the ClusterRole ${roleRef(name).name} on the member, and all that hangs on it`],
            async act({ kept, unknown }: UnjoinOutputs, tools) {
              if (keep) await keepThere(kept, way, tools)
              // by its own account as long as there is one; by another's when nobody can make them anew
              if (unknown && way.own) await dropRoles(tools)
              await withdraw(name, way, fenced, settings.clock, tools)
              if (unknown && !way.own) await dropRoles(tools)
              return {}
            },
          } satisfies Step<UnjoinOutputs>,
        ]
      : []),
    {
      id: 'forget',
      title: 'keys out of the federation',
      needs: ['gone', ...(way ? ['withdraw'] : [])],
      on: 'federation',
      describe: () => secretRefs(name).map(ref => `deletes ${refText(ref)}`),
      async act(_, { remove, changedNothing }) {
        const removed = await Promise.all(secretRefs(name).map(remove))
        if (!removed.some(Boolean)) changedNothing()
        return undefined
      },
    },
  ]
}

/** The engine takes nothing off a member that it does not see as Ready: it would leave everything there, and say nothing. */
const seen = ({ federation, name, clock }: UnjoinSettings): Step<UnjoinOutputs> => ({
  id: 'seen',
  title: 'member Ready with these keys',
  needs: ['renewal'],
  on: 'federation',
  async ready(_, tools) {
    const live = await tools.api.get(clusterRef(name), { signal: tools.signal })
    return live ? becomesReady(live, clock, tools) : {}
  },
  timeoutMs: 120_000,
  next: [unjoinByForce('to leave what is on it', federation, name)],
})

/**
 * Whatever the controllers try while the member leaves, they may delete nothing there. Losing the race against them
 * then costs time, and no workload.
 */
const fence = (name: string, needs: readonly string[]): Step<UnjoinOutputs> => ({
  id: 'fence',
  title: 'right to delete taken from the federation',
  needs,
  on: 'member',
  // a run before this one may have come as far as taking the account away: it must not come back
  alreadyDone: async (_, { read }) => ((await read(roleRef(name))) ? undefined : {}),
  want: () => [role(name, true)],
})

function preserving(
  { federation, creation, name, keep, keepNamespaces }: UnjoinSettings,
  needs: readonly string[],
): Step<UnjoinOutputs> {
  return {
    id: 'preserve',
    title: keep ? 'workloads marked to be kept' : 'look at what is there',
    needs,
    on: 'federation',
    gives: ['kept'],
    describe: () => (keep ? ['marks each Work of the member, so that what it put there stays'] : []),
    async act(_, { api, signal, tell, changedNothing }) {
      const works = await listWorks(api, name, signal).catch(whereSilent({ federation, creation, name }))
      const items = works.filter(item => !item.ofFederation)
      const staying = keep ? items : keepNamespaces ? items.filter(onlyNamespaces) : []
      if (staying.length) {
        tell(`${staying.length} of ${items.length} to be kept`)
        await preserve(api, staying, signal)
      } else changedNothing()
      return { kept: staying.flatMap(item => item.objects) }
    },
  }
}

const onlyNamespaces = (item: { objects: ObjectRef[] }): boolean =>
  item.objects.length > 0 && item.objects.every(object => object.kind === 'Namespace')
