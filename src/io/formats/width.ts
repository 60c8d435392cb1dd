/** The columns that text takes on a terminal, as Python's wcwidth counts them for the stock client's tables. */

const plain = /^[\x20-\x7e]*$/
const control = /[\x01-\x1f\x7f-\x9f]/
const zeroWidth = /[\0\p{Mn}\p{Me}\u200b-\u200f\u2028-\u202e\u2060-\u2063]/u
/** East Asian wide and fullwidth blocks, and emoji that are shown as pictures by default. */
const wide =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u3247\u3250-\u4dbf\u4e00-\ua4c6\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{1b2fb}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]|(?![\u{1f1e6}-\u{1f1ff}])\p{Emoji_Presentation}/u

/** Colour codes take no columns; wcwidth does not know them, but the stock client removes them first. */
const colours = /\x1b\[[0-9;]*m|\x1b\(B/g

/** -1 if a control character makes the width unknowable, as in wcwidth. */
export function displayWidth(text: string): number {
  if (plain.test(text)) return text.length
  const shown = text.includes('\x1b') ? text.replace(colours, '') : text
  return control.test(shown) ? -1 : columnsOf(shown)
}

/** The width with control characters counted as one column each. */
export function columnsOf(text: string): number {
  if (plain.test(text)) return text.length
  let width = 0
  for (const char of text) width += charWidth(char)
  return width
}

export function charWidth(char: string): number {
  if (char >= ' ' && char <= '~') return 1
  return zeroWidth.test(char) ? 0 : wide.test(char) ? 2 : 1
}

/** Text cut to fit `width` columns, with `…` in place of the rest. */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let kept = ''
  let spare = width - 1
  for (const char of text) {
    spare -= charWidth(char)
    if (spare < 0) break
    kept += char
  }
  return width > 0 ? `${kept}…` : ''
}
