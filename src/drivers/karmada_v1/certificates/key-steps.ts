/** The steps that create the federation's account on a member and its keys: for a join, or an unjoin whose keys are refused. */
import type { ClusterApi } from '../../../kube/api/cluster-api.ts'
import type { KubeObject } from '../../../kube/api/object.ts'
import type { Step } from '../../../plan/step.ts'
import { type TokenSettings, tokenKeeper } from '../join/member-tokens.ts'
import { type AccountUids, account, ownedBy, role, tokenSecrets } from '../templates/member.ts'
import { type MemberAddress, type MemberKeys, memberSecrets } from '../templates/membership.ts'
import { renewal, renewed } from './renewal.ts'

export type KeyOutputs = {
  roleUid: string
  accountUids: AccountUids
  keys: MemberKeys
  /** Undefined: they are the first that the federation has for it. */
  renewed: string | undefined
}

export interface KeySettings extends Omit<TokenSettings, 'name'> {
  membership: MemberAddress
  /** Goes with the account: made with it, and taken along by the member's garbage collector. */
  extraObjects: readonly KubeObject[]
  /** Where the control plane is, whose parts may have worked with other keys to this member: undefined where it is new to it. */
  before: { name: string; host: ClusterApi; hostTitle: string; namespace: string } | undefined
}

/** On the clusters `member`, `federation` and, where it had keys before, `host`. */
export function keySteps({ membership, extraObjects, before, ...settings }: KeySettings): Step<KeyOutputs>[] {
  const { name } = membership
  const keysOf = tokenKeeper({ name, ...settings })
  return [
    {
      id: 'role',
      title: 'role for the federation on the member',
      on: 'member',
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
      on: 'member',
      gives: ['accountUids'],
      want: ({ roleUid }) => [...account(name, roleUid), ...extraObjects.map(object => ownedBy(object, name, roleUid))],
      async ready(_, __, made) {
        const accounts = made.filter(object => object.kind === 'ServiceAccount')
        return { accountUids: Object.fromEntries(accounts.map(({ metadata }) => [metadata.name, metadata.uid])) }
      },
    },
    {
      id: 'token',
      title: 'tokens of the account',
      needs: ['account'],
      on: 'member',
      gives: ['keys'],
      secrets: ['keys'],
      want: () => tokenSecrets(name),
      async ready({ accountUids }, tools, made) {
        const keys = await keysOf(accountUids, tools, made)
        return keys && { keys }
      },
      timeoutMs: 180_000, // controllers that lost their API server reconnect within a minute
      hint: "is the member's kube-controller-manager running, and does it sign with the key that its API server checks with? It fills in the tokens of service accounts",
    },
    {
      id: 'credentials',
      title: 'keys in the federation',
      needs: ['token'],
      on: 'federation',
      ...(before
        ? {
            gives: ['renewed'],
            readOnly: true,
            async act({ keys }, { read, changedNothing }) {
              changedNothing()
              return { renewed: await renewed(name, keys, read) }
            },
          }
        : {}),
      want: ({ keys, renewed }) => memberSecrets(membership, keys, renewed),
    },
    ...(before ? [renewal(name, 'host', before) as Step<KeyOutputs>] : []),
  ]
}
