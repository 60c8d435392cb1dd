/** Columns that text takes on a terminal, reckoned as Python's wcwidth does: the stock client's tables are laid out by it. */

const plain = /^[\x20-\x7e]*$/
const control = /[\x01-\x1f\x7f-\x9f]/
const zeroWidth = /[\0\p{Mn}\p{Me}\u200b-\u200f\u2028-\u202e\u2060-\u2063]/u
/** East Asian wide and fullwidth, by block; emoji that are shown as pictures by default are wide too. */
const wide =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u3247\u3250-\u4dbf\u4e00-\ua4c6\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{1b2fb}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]|(?![\u{1f1e6}-\u{1f1ff}])\p{Emoji_Presentation}/u

/** Colours take no room; wcwidth does not know them, but the stock client takes them out first. */
const colours = /\x1b\[[0-9;]*m|\x1b\(B/g

/** -1 when a control character makes the width a guess, as wcwidth answers. */
export function displayWidth(text: string): number {
  if (plain.test(text)) return text.length
  const shown = text.includes('\x1b') ? text.replace(colours, '') : text
  return control.test(shown) ? -1 : columnsOf(shown)
}

/** The same without guesses: a control character counts as one column. */
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

/** Text cut to fit `width` columns, with `…` where something went. */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let kept = ''
  let room = width - 1
  for (const char of text) {
    room -= charWidth(char)
    if (room < 0) break
    kept += char
  }
  return width > 0 ? `${kept}…` : ''
}
