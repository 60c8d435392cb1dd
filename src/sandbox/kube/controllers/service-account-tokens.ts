import type { TokenSigner } from '../access/tokens.ts'
import { byKey, type Controller, objectKey, remove } from './host.ts'

const tokenType = 'kubernetes.io/service-account-token'
const accountName = 'kubernetes.io/service-account.name'
const accountUid = 'kubernetes.io/service-account.uid'

/** Fills the token Secrets of service accounts, and deletes them with their account. */
export const serviceAccountTokens =
  (signer: TokenSigner): Controller =>
  ({ plane, watch, queue }) => {
    const enqueue = queue(key => {
      const secret = byKey(plane, 'secrets', key)
      if (secret?.type !== tokenType || secret.metadata.deletionTimestamp) return
      const { namespace, annotations } = secret.metadata
      const account = plane.store.get('serviceaccounts', namespace, annotations?.[accountName] ?? '')
      const boundTo = annotations?.[accountUid]
      if (!account || (boundTo && boundTo !== account.metadata.uid)) return remove(plane, 'secrets', secret)
      if (secret.data?.token) return
      const encode = (text: string) => Buffer.from(text).toString('base64')
      plane.store.put('secrets', {
        ...secret,
        metadata: {
          ...secret.metadata,
          annotations: { ...annotations, [accountUid]: account.metadata.uid as string },
        },
        data: {
          ...secret.data,
          'ca.crt': encode(plane.caCertificate),
          namespace: encode(namespace as string),
          token: encode(signer.legacy(secret, account)),
        },
      })
    })
    watch('secrets', ({ type, object }) => {
      if (type !== 'DELETED' && object.type === tokenType) enqueue(objectKey(object))
    })
    watch('serviceaccounts', ({ type, object }) => {
      if (type !== 'DELETED') return
      for (const secret of plane.store.list('secrets', object.metadata.namespace)) {
        if (secret.type === tokenType) enqueue(objectKey(secret))
      }
    })
  }
