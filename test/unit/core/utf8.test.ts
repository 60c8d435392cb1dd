import { describe, expect, it } from 'vitest'
import { CoeError } from '../../../src/core/errors.ts'
import { decodeUtf8 } from '../../../src/core/utf8.ts'

const refused = (bytes: Buffer): CoeError => {
  try {
    decodeUtf8(bytes, 'the file x')
  } catch (error) {
    if (error instanceof CoeError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('decoding UTF-8', () => {
  it('accepts any valid UTF-8', () => {
    for (const text of ['', 'a', 'Zürich – 東京 😀 \ufffd', '\ufeffa'])
      expect(decodeUtf8(Buffer.from(text), 'x')).toBe(text)
  })

  it.each([
    ['Latin-1', Buffer.from('a: 1\nb: Zürich\n', 'latin1'), 2, 5, '0xFC'],
    ['Latin-1 behind UTF-8', Buffer.concat([Buffer.from('– \r\né'), Buffer.from([0xe9])]), 2, 3, '0xE9'],
    ['Latin-1 behind lone carriage returns', Buffer.from('a\rb\r\xe9', 'latin1'), 3, 1, '0xE9'],
    ['a character that is cut off', Buffer.from('東').subarray(0, 2), 1, 1, '0xE6'],
    ['a stray byte', Buffer.from([0x80]), 1, 1, '0x80'],
  ])('refuses %s, naming line and byte', (_, bytes, line, byte, value) => {
    const error = refused(bytes)
    expect(error.outcome).toBe('usage')
    expect(error.message).toBe(
      `cannot read the file x, line ${line}, byte ${byte}: ${value} does not belong to any character in UTF-8`,
    )
    expect(error.details).toEqual({ line, byte })
    expect(error.hint).toContain('Latin-1 perhaps')
  })

  it('recognises UTF-16 by its byte order mark', () => {
    expect(refused(Buffer.from('\ufeffa: ü', 'utf16le')).hint).toBe('it is written in UTF-16: save it as UTF-8')
  })
})
