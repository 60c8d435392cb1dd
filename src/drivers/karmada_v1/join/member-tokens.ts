/** Reads the tokens of the federation's account on a member, tries them, and replaces those that the member refuses. */
import type { Clock } from '../../../core/world.ts'
import { decoded, type KubeObject, refOf } from '../../../kube/api/object.ts'
import type { Tools } from '../../../plan/step.ts'
import { clusterNamespace } from '../names.ts'
import { type AccountUids, accountName, accountUidAnnotation, impersonator, tokenSecrets } from '../templates/member.ts'
import type { MemberKeys } from '../templates/membership.ts'

export interface TokenSettings {
  name: string
  /** The CA of the user's own access: a proxy in front of the API server may have another CA than the cluster. */
  ca: string | undefined
  /** Whether the member's API server accepts a token; undefined if that cannot be checked from here. */
  accepts(token: string): Promise<boolean | undefined>
  clock: Clock
}

/** The pause between two replacements: the controller that signs tokens uses new signing keys only after its restart. */
const replaceAfterMs = 15_000

/**
 * For the step that applied the Secrets: resolves to the keys once the member has filled them in and accepts them. Replaces tokens
 * of a deleted account, and tokens that the API server refuses because its signing keys have changed.
 */
export function tokenKeeper({ name, ca, accepts, clock }: TokenSettings) {
  const madeAt = new Map<string, number>()
  const good = new Set<string>()

  async function isAccepted(token: string): Promise<boolean> {
    if (good.has(token)) return true
    const accepted = (await accepts(token)) !== false
    if (accepted) good.add(token)
    return accepted
  }

  async function replaceRefused(secrets: readonly KubeObject[], { apply, remove, tell }: Tools): Promise<boolean> {
    const tried = await Promise.all(
      secrets.map(async secret => ({ secret, accepted: await isAccepted(decoded(secret, 'token') ?? '') })),
    )
    const refused = tried.flatMap(({ secret, accepted }) => (accepted ? [] : secret))
    if (refused.length > 0) tell('the member refuses the token of the federation (HTTP 401): replacing it')
    for (const { metadata } of refused) {
      const wanted = tokenSecrets(name).find(secret => secret.metadata.name === metadata.name)
      const before = madeAt.get(metadata.name ?? '')
      if (!wanted || (before !== undefined && clock.now() - before < replaceAfterMs)) continue
      await remove(refOf(wanted))
      await apply(wanted)
      madeAt.set(metadata.name ?? '', clock.now())
    }
    return refused.length > 0
  }

  /** @param made the Secrets as the server returned them: one without a token is new, and may be accepted only after a moment */
  return async (
    accountUids: AccountUids,
    tools: Tools,
    made: readonly KubeObject[],
  ): Promise<MemberKeys | undefined> => {
    const { api, signal, tell } = tools
    for (const secret of made) {
      const called = secret.metadata.name ?? ''
      if (!decoded(secret, 'token') && !madeAt.has(called)) madeAt.set(called, clock.now())
    }
    const { items } = await api.list(secretKind, { namespace: clusterNamespace, signal })
    if (await replaceStale(items, accountUids, name, tools)) return undefined
    const keys = keysIn(items, name, ca)
    if (!keys) {
      tell('waiting for the member to issue the tokens')
      return undefined
    }
    // the same key signs both tokens: if both are new, trying one is enough
    const bothNew = made.every(secret => !decoded(secret, 'token'))
    const names = tokenSecrets(name).map(secret => secret.metadata.name)
    const filled = items.filter(item => (bothNew ? names.slice(0, 1) : names).includes(item.metadata.name))
    return (await replaceRefused(filled, tools)) ? undefined : keys
  }
}

const secretKind = { apiVersion: 'v1', kind: 'Secret' }

/**
 * Replaces tokens of a deleted account of the same name: a controller that does not know the new account yet issues such tokens,
 * and the API server refuses them. The new Secret names the uid of the account.
 */
async function replaceStale(
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
    tell('the member issued a token for a deleted account: replacing it')
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
