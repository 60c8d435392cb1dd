import { styleText } from 'node:util'
import type { Sink } from './streams.ts'

const formats = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const

export type Style = { readonly colour: boolean } & Record<(typeof formats)[number], (text: string) => string>

/** Functions that colour text, or return it unchanged without colour, so that callers need not check. */
export function makeStyle(colour: boolean): Style {
  const style: Record<string, unknown> = { colour }
  for (const format of formats) {
    // our sink already decided; styleText would decide by the process's stdout
    style[format] = colour
      ? (text: string) => styleText(format, text, { validateStream: false })
      : (text: string) => text
  }
  return style as Style
}

const colourModes = ['auto', 'always', 'never'] as const
export type ColourMode = (typeof colourModes)[number]

/** Order of precedence: `--color`, FORCE_COLOR, NO_COLOR, a dumb terminal, and last whether the sink is a terminal. */
export function wantsColour(mode: ColourMode, env: Readonly<Record<string, string | undefined>>, sink: Sink): boolean {
  if (mode !== 'auto') return mode === 'always'
  const forced = env.FORCE_COLOR
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  if (env.NO_COLOR || env.TERM === 'dumb') return false
  return sink.isTTY
}

/**
 * Green, red or yellow for a status of Magnum or Kubernetes; other text stays unchanged. `shown` may be a part of
 * `status`.
 */
export function paintStatus(shown: string, style: Style, status = shown): string {
  if (/(?:_FAILED|^FAILED|^UNHEALTHY|^ERROR|^down|^NotReady)$/.test(status)) return style.red(shown)
  if (/(?:_IN_PROGRESS|^UNKNOWN|^Unknown|^Terminating)$/.test(status)) return style.yellow(shown)
  if (/(?:_COMPLETE|^HEALTHY|^ACTIVE|^up|^Ready)$/.test(status)) return style.green(shown)
  return shown
}
