/** Checks whether a member still accepts the federation's token, without writing anything. */
import type { KubeAccess } from '../../../config/kubeconfig/kubeconfig.ts'
import { CoeError } from '../../../core/errors.ts'
import { flag, object } from '../../../core/shape.ts'
import { readAnswer } from '../../../http/answer.ts'
import type { InlineAccess } from '../../../kube/access/connect.ts'
import type { ClusterApi } from '../../../kube/api/cluster-api.ts'
import type { DriverApi, JoinRequest } from '../../driver-api.ts'
import { clusterNamespace } from '../names.ts'

const trialMs = 10_000

/** A missing right does not matter: an API server that refuses it has recognised the token. */
async function recognised(api: ClusterApi, signal: AbortSignal): Promise<boolean> {
  const path = `/api/v1/namespaces/${clusterNamespace}`
  const { status } = await api.raw({ method: 'GET', path, signal, timeoutMs: trialMs })
  return status !== 401
}

/**
 * Tried at the address of the user's own access. The federation may have another: then what stands at this one may take
 * no tokens of accounts at all (a gateway), so the API server behind it is asked what it thinks of the token.
 */
export const acceptsFor =
  (
    coe: DriverApi,
    { access, member, name, server }: Pick<JoinRequest, 'access' | 'member' | 'name' | 'server'>,
    signal: AbortSignal,
  ) =>
  async (token: string): Promise<boolean | undefined> => {
    coe.addSecret(token)
    if (server !== undefined && server !== access.server) return reviewed(member, token, signal)
    return recognised(coe.connect(withToken(access, token), { title: `the API server of member "${name}"` }), signal)
  }

const withToken = (
  { name, server, ca, tlsServerName, insecure, proxyUrl }: KubeAccess,
  token: string,
): InlineAccess => ({
  name,
  server,
  ca,
  tlsServerName,
  insecure,
  ...(proxyUrl ? { proxyUrl } : {}),
  token,
})

const review = object({ status: object({}, { authenticated: flag }) })

/** Undefined if the user may not create token reviews. */
async function reviewed(member: ClusterApi, token: string, signal: AbortSignal): Promise<boolean | undefined> {
  const response = await member.raw({
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/tokenreviews',
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } },
    signal,
    timeoutMs: trialMs,
    repeatable: true,
  })
  if (response.status !== 201) return undefined
  const peer = { name: `the API server of "${member.name}"`, url: member.server }
  return readAnswer<{ status: { authenticated?: boolean } }>(response, peer, review).status.authenticated === true
}

const untrusted = /^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|CERT_SIGNATURE|ERR_TLS_CERT_ALTNAME)/

/** Why the member refuses what the federation has; undefined: it does not, or cannot be reached from here. */
export async function refusal(own: ClusterApi, signal: AbortSignal): Promise<string | undefined> {
  try {
    return (await recognised(own, signal)) ? undefined : `${own.server} answers with HTTP 401`
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof CoeError)) throw error
    const { code } = error.details
    return code !== undefined && untrusted.test(code)
      ? `another authority signed the certificate of ${own.server}`
      : undefined
  }
}
