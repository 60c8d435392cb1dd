/** Long output at a terminal goes through the pager that its owner has chosen; nobody who has chosen none is surprised by one. */
import type { Host } from '../host.ts'

export async function show(text: string, host: Host): Promise<void> {
  const pager = pagerFor(text, host)
  if (pager === undefined || !(await host.page?.(pager, text))) host.streams.stdout.write(text)
}

function pagerFor(text: string, { world: { env }, streams: { stdout } }: Host): string | undefined {
  const pager = env.COE_PAGER ?? env.PAGER
  if (!pager || !stdout.isTTY || stdout.rows === undefined) return undefined
  if (env.TERM === 'dumb' || (env.CI && env.CI !== 'false')) return undefined
  // the prompt takes a line, too
  return text.split('\n').length > stdout.rows ? pager : undefined
}
