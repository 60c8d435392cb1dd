import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'

export type KeyType = 'ec-p256' | 'ec-p384' | 'rsa-2048' | 'rsa-3072' | 'rsa-4096'

export interface KeyPair {
  privateKey: KeyObject
  publicKey: KeyObject
}

const generate = promisify(generateKeyPair) as unknown as (type: string, options: object) => Promise<KeyPair>

/** Generates the key in libuv's pool: RSA takes a tenth of a second or more and must not block the event loop. */
export function generateKey(type: KeyType = 'ec-p256'): Promise<KeyPair> {
  if (type === 'ec-p256') return generate('ec', { namedCurve: 'P-256' })
  if (type === 'ec-p384') return generate('ec', { namedCurve: 'P-384' })
  return generate('rsa', { modulusLength: Number(type.slice(4)), publicExponent: 65537 })
}

/**
 * PEM text of a private key. Everything reads PKCS#8 (`BEGIN PRIVATE KEY`). Some programs require the `traditional`
 * form, which depends on the algorithm (PKCS#1 `BEGIN RSA PRIVATE KEY`, SEC1 `BEGIN EC PRIVATE KEY`).
 */
export function privateKeyPem(key: KeyObject, form: 'pkcs8' | 'traditional' = 'pkcs8'): string {
  if (form === 'pkcs8') return key.export({ type: 'pkcs8', format: 'pem' }).toString()
  return key.export({ type: key.asymmetricKeyType === 'ec' ? 'sec1' : 'pkcs1', format: 'pem' }).toString()
}

export const publicKeyPem = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString()

export const readPrivateKey = (pem: string): KeyObject => createPrivateKey(pem)
