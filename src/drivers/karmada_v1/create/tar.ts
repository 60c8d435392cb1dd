/** Reads the files in a tar archive in memory. Supports what GNU and BSD tar write for a folder of small files. */
import { failed } from '../../../core/errors.ts'

export interface TarEntry {
  path: string
  content: Buffer
}

const block = 512

/** Returns the ordinary files; folders, links and devices are skipped. Throws if the archive is damaged or truncated. */
export function readTar(archive: Buffer): TarEntry[] {
  const entries: TarEntry[] = []
  let longName: string | undefined
  for (let at = 0; at + block <= archive.length; ) {
    const header = archive.subarray(at, at + block)
    if (header.every(byte => byte === 0)) return entries
    checkSum(header)
    const size = octal(header, 124, 12)
    const content = archive.subarray(at + block, at + block + size)
    if (content.length < size) throw damaged('it ends in the middle of a file')
    at += block + Math.ceil(size / block) * block
    const type = String.fromCharCode(header[156] as number)
    if (type === 'x') longName = paxPath(content) ?? longName
    else if (type === 'L') longName = text(content, 0, content.length)
    else if (type !== 'g') {
      if (type === '0' || type === '\0') entries.push({ path: longName ?? shortName(header), content })
      longName = undefined
    }
  }
  if (entries.length) throw damaged('its end is missing')
  throw damaged('it is empty')
}

const damaged = (why: string) => failed(`the archive is damaged: ${why}`)

const text = (bytes: Buffer, from: number, length: number): string => {
  const field = bytes.subarray(from, from + length)
  const end = field.indexOf(0)
  return field.subarray(0, end < 0 ? length : end).toString('utf8')
}

function octal(header: Buffer, from: number, length: number): number {
  const digits = text(header, from, length).trim()
  if (!/^[0-7]+$/.test(digits)) throw damaged('a header is unreadable')
  return Number.parseInt(digits, 8)
}

/** The sum counts its own eight bytes as spaces. */
function checkSum(header: Buffer): void {
  let sum = 8 * 32
  for (let i = 0; i < block; i++) if (i < 148 || i >= 156) sum += header[i] as number
  if (sum !== octal(header, 148, 8)) throw damaged('a header has a wrong checksum')
}

function shortName(header: Buffer): string {
  const name = text(header, 0, 100)
  const prefix = text(header, 257, 5) === 'ustar' ? text(header, 345, 155) : ''
  return prefix ? `${prefix}/${name}` : name
}

/** Records are `LENGTH key=value\n`, the length in bytes and counting itself. */
function paxPath(content: Buffer): string | undefined {
  for (let at = 0; at < content.length; ) {
    const length = Number.parseInt(content.subarray(at, at + 20).toString('latin1'), 10)
    if (!(length > 0)) return undefined
    const record = content.subarray(at, at + length).toString('utf8')
    const [, key, value] = /^\d+ ([^=]+)=([\s\S]*)\n$/.exec(record) ?? []
    if (key === 'path') return value
    at += length
  }
  return undefined
}
