/**
 * Text that comes from servers can hold sequences that move the cursor, set the title or turn the line around. On a terminal
 * they are shown as what they are (`\x1b`); in pipes the bytes stay, for scripts.
 */

const newlinesStay = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g
const oneLine = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** For text of several lines: line breaks and tabs do no harm and stay. */
export const sanitize = (text: string): string => text.replaceAll('\r\n', '\n').replace(newlinesStay, visible)

/** For a name within a sentence: a line break there could pretend to be a message of ours. */
export const sanitizeLine = (text: string): string => text.replace(oneLine, visible)

const short: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function visible(char: string): string {
  const code = char.charCodeAt(0).toString(16)
  return short[char] ?? (code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`)
}
