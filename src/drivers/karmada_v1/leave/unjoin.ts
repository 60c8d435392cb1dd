/** The plan of an unjoin: keeps or deletes the workloads, or leaves everything because the member does not answer. */

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
  /** The federation did not know the member, so its controllers have cleaned up nothing there. */
  unknown: boolean
  /** The member's namespace in the federation while it is being deleted; undefined if it is gone. */
  closing: KubeObject | undefined
}

export interface UnjoinSettings extends Departure {
  federation: string
  /** The command that repairs the federation. */
  creation: CoeStep
  api(): Promise<ClusterApi>
  memberTitle: string
  /** Undefined: there is no access to the member, and nothing there is changed. */
  way: MemberWay | undefined
  /** Set if the member refuses the federation's keys: how to create new ones. */
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
      title: 'removing it from the federation',
      needs: ['preserve'],
      on: 'federation',
      describe: () => [`deletes the Cluster ${name} and its Works in the federation`],
      gives: ['closing', 'unknown'],
      next: [unjoinByForce(`if the federation cannot reach "${name}" any more`, settings.federation, name)],
      act: async (_, tools) => detach(settings, settings.clock, tools),
    },
    {
      id: 'gone',
      title: 'waiting for its controllers to finish',
      needs: ['detach'],
      on: 'federation',
      describe: () => ['waits until the Cluster is gone'],
      act: async ({ closing }, tools) => left(settings, closing, settings.clock, tools),
    },
    ...(way
      ? [
          {
            id: 'withdraw',
            title: "removing the federation's account from the member",
            needs: ['detach'],
            on: 'member',
            describe: () => [`deletes the ClusterRole ${roleRef(name).name} on the member, and all that it owns`],
            async act({ kept, unknown }: UnjoinOutputs, tools) {
              if (keep) await keepThere(kept, way, tools)
              // with the federation's own account while it exists; with the user's once nothing can recreate the roles
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
      title: 'removing its keys',
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

/** Waits for Ready: Karmada cleans up nothing on a member that is not Ready, and does not report that. */
const seen = ({ federation, name, clock }: UnjoinSettings): Step<UnjoinOutputs> => ({
  id: 'seen',
  title: 'waiting until the member is Ready with the new keys',
  needs: ['renewal'],
  on: 'federation',
  async ready(_, tools) {
    const live = await tools.api.get(clusterRef(name), { signal: tools.signal })
    return live ? becomesReady(live, clock, tools) : {}
  },
  timeoutMs: 120_000,
  next: [unjoinByForce('to keep everything that is on it', federation, name)],
})

/** Keeps controllers from deleting workloads while the member leaves. Losing a race against them then costs only time. */
const fence = (name: string, needs: readonly string[]): Step<UnjoinOutputs> => ({
  id: 'fence',
  title: "revoking the federation's right to delete",
  needs,
  on: 'member',
  // an earlier run may have deleted the account already: it must not come back
  alreadyDone: async (_, { read }) => ((await read(roleRef(name))) ? undefined : {}),
  want: () => [role(name, true)],
})

function preserving(
  { federation, creation, name, keep, keepNamespaces }: UnjoinSettings,
  needs: readonly string[],
): Step<UnjoinOutputs> {
  return {
    id: 'preserve',
    title: keep ? 'marking workloads to be kept' : 'finding workloads',
    needs,
    on: 'federation',
    gives: ['kept'],
    describe: () => (keep ? ['marks each Work of the member, so that its objects stay there'] : []),
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
