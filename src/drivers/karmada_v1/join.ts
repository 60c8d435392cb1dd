/** The plan that makes a cluster a member: an account for the federation there, its keys here, and then it is Ready or told why not. */
import type { Clock } from '../../core/world.ts'
import type { ClusterApi } from '../../kube/cluster-api.ts'
import { follow } from '../../kube/follow.ts'
import { decoded, type KubeObject, refOf } from '../../kube/object.ts'
import type { Owner, Plan, Step, Tools } from '../../plan/step.ts'
import { clusterNamespace } from './names.ts'
import { renewal, renewed } from './renewal.ts'
import {
  type AccountUids,
  account,
  accountName,
  accountUidAnnotation,
  impersonator,
  notReady,
  ownedBy,
  role,
  tokenSecrets,
} from './templates/member.ts'
import { cluster, type MemberKeys, type Membership, memberSecrets } from './templates/membership.ts'

export type JoinOutputs = {
  roleUid: string
  accountUids: AccountUids
  keys: MemberKeys
  /** Undefined: they are the first that the federation has for it. */
  renewed: string | undefined
}

export interface JoinSettings {
  federation: string
  membership: Membership
  /** Of the person's own access: what stands before the API server may have another than the cluster has. */
  ca: string | undefined
  member: ClusterApi
  memberTitle: string
  /** Goes with the account: made with it, and taken along by the member's garbage collector. */
  beside: readonly KubeObject[]
  api(): Promise<ClusterApi>
  /** Where the control plane is, whose parts may have worked with other keys to this member: undefined where it is new to it. */
  before: { host: ClusterApi; hostTitle: string; namespace: string } | undefined
  owner: Owner
  clock: Clock
  seen?: Plan['seen']
  again: string
}

export function joinPlan(settings: JoinSettings): Plan<JoinOutputs> {
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
    again: settings.again,
    ...(settings.seen ? { seen: settings.seen } : {}),
  }
}

/** Of a watch: after so long it is begun anew, should the server have forgotten it. */
const lookMs = 15_000

function steps({ membership, ca, beside, before, clock }: JoinSettings): Step<JoinOutputs>[] {
  const { name } = membership
  return [
    {
      id: 'role',
      title: 'role for the federation on the member',
      gives: ['roleUid'],
      want: () => [role(name, false)],
      async ready(_, __, [made]) {
        const uid = made?.metadata.uid
        return uid === undefined ? undefined : { roleUid: uid }
      },
    },
    {
      id: 'account',
      title: 'account for the federation on the member',
      needs: ['role'],
      gives: ['accountUids'],
      want: ({ roleUid }) => [...account(name, roleUid), ...beside.map(object => ownedBy(object, name, roleUid))],
      async ready(_, __, made) {
        const accounts = made.filter(object => object.kind === 'ServiceAccount')
        return { accountUids: Object.fromEntries(accounts.map(({ metadata }) => [metadata.name, metadata.uid])) }
      },
    },
    {
      id: 'token',
      title: 'keys to the account',
      needs: ['account'],
      gives: ['keys'],
      secrets: ['keys'],
      want: () => tokenSecrets(name),
      async ready({ accountUids }, tools) {
        const { api, signal, tell } = tools
        const { items } = await api.list(secretKind, { namespace: clusterNamespace, signal })
        if (await renewStale(items, accountUids, name, tools)) return undefined
        const keys = keysIn(items, name, ca)
        if (!keys) tell('the member has not filled in the tokens yet')
        return keys && { keys }
      },
      timeoutMs: 180_000, // controllers that have lost their server look for it at most each minute
      hint: "is the member's kube-controller-manager running? It fills in the tokens of service accounts",
    },
    {
      id: 'credentials',
      title: 'keys in the federation',
      needs: ['token'],
      on: 'federation',
      ...(before
        ? {
            gives: ['renewed'],
            onlyLooks: true,
            async act({ keys }, { look, unchanged }) {
              unchanged()
              return { renewed: await renewed(name, keys, look) }
            },
          }
        : {}),
      want: ({ keys, renewed }) => memberSecrets(membership, keys, renewed),
    },
    ...(before ? [renewal(name, 'host', before.namespace) as Step<JoinOutputs>] : []),
    {
      id: 'cluster',
      title: 'member in the federation',
      needs: ['credentials'],
      on: 'federation',
      want: () => [cluster(membership)],
      async ready(_, { api, signal, tell }, [made]) {
        if (!made) return undefined
        const well = (live: KubeObject) => {
          const why = notReady(live)
          if (why === undefined) return {}
          tell(why)
          return undefined
        }
        return follow(api, made, well, { clock, signal, forMs: lookMs })
      },
      timeoutMs: 120_000,
    },
  ]
}

const secretKind = { apiVersion: 'v1', kind: 'Secret' }

/**
 * A controller that has not heard yet that the account is a new one fills in a token of the one before, which nobody
 * takes. Told which account is meant, it looks.
 */
async function renewStale(
  secrets: readonly KubeObject[],
  accountUids: AccountUids,
  member: string,
  { apply, remove, tell }: Tools,
): Promise<boolean> {
  const stale = tokenSecrets(member, accountUids).filter(wanted => {
    const live = secrets.find(secret => secret.metadata.name === wanted.metadata.name)
    const uid = live?.metadata.annotations?.[accountUidAnnotation]
    return live && decoded(live, 'token') && uid !== wanted.metadata.annotations?.[accountUidAnnotation]
  })
  for (const secret of stale) {
    tell('the member filled in the token of an account that is gone')
    await remove(refOf(secret))
    await apply(secret)
  }
  return stale.length > 0
}

function keysIn(items: readonly KubeObject[], name: string, ca: string | undefined): MemberKeys | undefined {
  const secret = (called: string) => items.find(item => item.metadata.name === called)
  const own = secret(accountName(name))
  const token = decoded(own, 'token')
  const impersonatorToken = decoded(secret(impersonator), 'token')
  const authority = ca ?? decoded(own, 'ca.crt')
  return token && impersonatorToken && authority ? { token, impersonatorToken, ca: authority } : undefined
}
