/** Reads the CA certificates of a cloud: from a file, or from a folder in OpenSSL's format. */
import { X509Certificate } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode, failed } from '../core/errors.ts'
import { nextStep } from '../core/next-step.ts'

/** `c_rehash` names each certificate by the hash of its subject; other files in the folder are not trusted. */
const hashed = /^[0-9a-f]{8}\.\d+$/

const begin = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/g
const end = /-----END (?:X509 |TRUSTED )?CERTIFICATE-----/g
const plain = /-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs

/** A larger bundle is probably the system's, which needs no check; a user's own file has few certificates. */
const fewEnough = 10

/** OpenSSL skips certificates that it cannot read, and then blames the server's certificate. */
function refuseBroken(path: string, pem: string): void {
  const next = [nextStep('see where the file is named', 'config view', { option: 'origin' })]
  if (pem.trim() === '') throw failed(`the CA file ${path} is empty`, { next })
  const begun = pem.match(begin)?.length ?? 0
  if (begun === 0) throw failed(`the CA file ${path} holds no certificate`, { hint: 'it should hold PEM', next })
  const broken = failed(`the CA file ${path} is broken: a certificate in it is cut off or damaged`, { next })
  if (begun !== (pem.match(end)?.length ?? 0)) throw broken
  if (begun > fewEnough) return
  try {
    for (const one of pem.match(plain) ?? []) new X509Certificate(one)
  } catch {
    throw broken
  }
}

export async function readAuthorities(path: string): Promise<string> {
  try {
    const pem = await readFile(path, 'utf8')
    refuseBroken(path, pem)
    return pem
  } catch (error) {
    if (errorCode(error) !== 'EISDIR') throw error
  }
  const names = (await readdir(path)).filter(name => hashed.test(name)).sort()
  if (names.length === 0) {
    throw failed(`the CA folder ${path} holds no certificates by their hashes`, {
      hint: `"openssl rehash ${path}" makes them; or name a file`,
    })
  }
  return (await Promise.all(names.map(name => readFile(join(path, name), 'utf8')))).join('\n')
}
