/** Access to a federation's API: the administrator's, which is stored on the host, and new certificates for other users. */
import { awaitAll } from '../../core/concurrency.ts'
import { notFound } from '../../core/errors.ts'
import type { CoeStep } from '../../core/next-step.ts'
import type { InlineAccess } from '../../kube/access/connect.ts'
import type { ClusterApi } from '../../kube/api/cluster-api.ts'
import { issue } from '../../pki/certificates.ts'
import { generateKey, privateKeyPem, readPrivateKey } from '../../pki/keys.ts'
import type { Files } from './certificates/certificates.ts'
import { filesOf, serverFile } from './certificates/secrets.ts'
import { adminSecret, authoritiesSecret } from './names.ts'

interface Place {
  federation: string
  namespace: string
  host: ClusterApi
  creation: CoeStep
}

export async function adminAccess(place: Place, signal?: AbortSignal): Promise<InlineAccess> {
  const files = await secretFiles(place, adminSecret, signal)
  return { ...common(place, files), cert: files['client.crt'], key: files['client.key'] }
}

/** The certificate only names the user: rights come from the roles that the administrator binds to the user or the groups. */
export async function grantedAccess(
  place: Place,
  who: { user: string; groups: readonly string[]; days: number },
  now: number,
): Promise<InlineAccess> {
  const [admin, authorities] = await awaitAll([secretFiles(place, adminSecret), secretFiles(place, authoritiesSecret)])
  const pair = await generateKey()
  const issuer = {
    certificate: authorities['ca.crt'] ?? '',
    key: readPrivateKey(authorities['ca.key'] ?? ''),
  }
  const subject = [...who.groups.map(group => ['O', group] as const), ['CN', who.user] as const]
  const cert = issue(
    { subject, usages: ['digitalSignature'], extendedUsages: ['clientAuth'], now, days: who.days },
    pair.publicKey,
    issuer,
  )
  return { ...common(place, admin), cert, key: privateKeyPem(pair.privateKey) }
}

const common = ({ federation }: Place, admin: Files) => ({
  name: federation,
  server: admin[serverFile] ?? '',
  ca: admin['ca.crt'],
})

async function secretFiles(place: Place, name: string, signal?: AbortSignal): Promise<Files> {
  const { host, namespace, federation, creation } = place
  const secret = await host.get({ apiVersion: 'v1', kind: 'Secret', name, namespace }, { signal })
  if (secret) return filesOf(secret)
  throw notFound(`federation "${federation}" has no control plane yet (there is no Secret ${namespace}/${name})`, {
    hint: 'its creation was not finished',
    next: [{ ...creation, why: 'resume' }],
  })
}
