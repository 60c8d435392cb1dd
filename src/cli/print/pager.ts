/** Shows long output at a terminal with the user's pager, if COE_PAGER or PAGER names one. */
import type { Host } from '../host.ts'

export async function show(text: string, host: Host): Promise<void> {
  const pager = pagerFor(text, host)
  if (pager === undefined || !(await host.page?.(pager, text))) host.streams.stdout.write(text)
}

function pagerFor(text: string, { world: { env }, streams: { stdout } }: Host): string | undefined {
  const pager = env.COE_PAGER ?? env.PAGER
  if (!pager || !stdout.isTTY || stdout.rows === undefined) return undefined
  if (env.TERM === 'dumb' || (env.CI && env.CI !== 'false')) return undefined
  // the prompt needs a line as well
  return text.split('\n').length > stdout.rows ? pager : undefined
}
