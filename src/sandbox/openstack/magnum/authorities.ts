import type { Issuer } from '../../../pki/certificates.ts'
import type { MagnumState } from './context.ts'
import type { Cluster } from './store.ts'

/** Five years, from real time. */
export const validity = (state: MagnumState) => ({ now: state.wallNow(), days: 5 * 365 })

/** An authority per cluster and purpose, made on first use, because thousands of clusters never need one. */
export function authorityOf(state: MagnumState, cluster: Cluster, type = 'kubernetes'): Promise<Issuer> {
  const purpose = type === 'etcd' || type === 'front-proxy' ? type : 'kubernetes' // unknown types get the usual one
  let authority = cluster.authorities.get(purpose)
  if (!authority) {
    authority = makeAuthority(state, cluster.name)
    cluster.authorities.set(purpose, authority)
  }
  return authority
}

async function makeAuthority(state: MagnumState, name: string): Promise<Issuer> {
  // loads the heavy half of pki only when something is signed
  const [{ createCa }, { generateKey }] = await Promise.all([
    import('../../../pki/certificates.ts'),
    import('../../../pki/keys.ts'),
  ])
  const { privateKey } = await generateKey('rsa-2048')
  const profile = {
    subject: [['CN', name]] as const,
    ca: { pathLength: 0 },
    usages: ['keyCertSign'] as const,
    ...validity(state),
  }
  return { certificate: createCa(profile, privateKey), key: privateKey }
}
