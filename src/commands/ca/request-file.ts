/** Reads the certificate request, and refuses a private key, which is easily mistaken for one. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Context } from '../../cli/context.ts'
import { failed } from '../../core/errors.ts'
import { readInput } from '../../io/streams.ts'

const why: Record<string, string> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
}

export async function readRequest(context: Context, path: string): Promise<string> {
  const text =
    path === '-' ? await readInput(context.streams.stdin) : await readText(resolve(context.world.cwd, path), path)
  const where = path === '-' ? 'standard input' : `"${path}"`
  const hint = 'make a request with: openssl req -new -key KEYFILE -subj /O=GROUP/CN=USER -out FILE'
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) {
    throw failed(`${where} contains a private key, which must not leave this machine: nothing was sent`, { hint })
  }
  if (!/-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----/.test(text)) {
    throw failed(`${where} contains no certificate request (PEM)`, { hint })
  }
  return text
}

async function readText(file: string, path: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException
    throw failed(`cannot read the certificate request "${path}": ${why[code] ?? message}`, { cause })
  }
}
