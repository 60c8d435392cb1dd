/** Decodes the user's input. Refuses invalid UTF-8, because replacement characters would be sent to servers. */
import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { usage } from './errors.ts'

/** @param what names the bytes in the error: `the kubeconfig /home/ann/.kube/config`, `standard input` */
export function decodeUtf8(bytes: Buffer, what: string): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  const at = firstWrongByte(bytes)
  const before = bytes.subarray(0, at)
  const line = before.toString('latin1').split(/\r\n?|\n/).length
  const column = at - Math.max(before.lastIndexOf(0x0a), before.lastIndexOf(0x0d))
  const value = `0x${(bytes[at] as number).toString(16).toUpperCase().padStart(2, '0')}`
  throw usage(`cannot read ${what}, line ${line}, byte ${column}: ${value} does not belong to any character in UTF-8`, {
    hint: `it is written in ${guess(bytes)}: save it as UTF-8`,
    details: { line, byte: column },
  })
}

/** The text of a file. Errors of opening it are thrown unchanged. */
export const readUtf8 = async (path: string, what: string): Promise<string> =>
  decodeUtf8(await readFile(path), `the ${what} ${path}`)

/** Node puts this character for each byte of the command line and the environment that is not UTF-8. */
export const notUtf8 = (text: string): boolean => text.includes('\ufffd')

function firstWrongByte(bytes: Buffer): number {
  for (let at = 0; at < bytes.length; ) {
    const length = lengthOf(bytes[at] as number)
    if (!isUtf8(bytes.subarray(at, at + length))) return at
    at += length
  }
  return bytes.length - 1
}

const lengthOf = (lead: number): number => (lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4)

function guess(bytes: Buffer): string {
  const mark = bytes.toString('hex', 0, 2)
  return mark === 'fffe' || mark === 'feff' ? 'UTF-16' : 'another encoding, Latin-1 perhaps'
}
