/** The certificates of the authorities that a cloud trusts: of a file, or of a folder as OpenSSL keeps one. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode, failed } from '../core/errors.ts'

/** `c_rehash` gives each certificate the hash of its subject for a name; whatever else lies there is not trusted. */
const hashed = /^[0-9a-f]{8}\.\d+$/

export async function readAuthorities(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
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
