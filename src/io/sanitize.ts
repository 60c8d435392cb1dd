/**
 * Text from servers can contain sequences that move the cursor, set the title or reverse the line. A terminal shows
 * them escaped (`\x1b`); pipes get the bytes unchanged, for scripts.
 */

const newlinesStay = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g
const oneLine = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** For text of several lines: keeps line breaks and tabs, which do no harm. */
export const sanitize = (text: string): string => text.replaceAll('\r\n', '\n').replace(newlinesStay, visible)

/** For a name within a sentence, where a line break could fake a message of ours. */
export const sanitizeLine = (text: string): string => text.replace(oneLine, visible)

const short: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function visible(char: string): string {
  const code = char.charCodeAt(0).toString(16)
  return short[char] ?? (code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`)
}
