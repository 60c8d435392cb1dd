/** Long output at a terminal and the pager: the real program on a terminal of its own. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const script = '/usr/bin/script'

/** What stands on a terminal of so many lines afterwards. */
function onTerminal(line: string, rows: number, more: Record<string, string>): Promise<string[]> {
  const env = { PATH: '/usr/bin:/bin', TERM: 'xterm', NO_COLOR: '1', NODE_DISABLE_COMPILE_CACHE: '1', ...more }
  const command = `stty rows ${rows} cols 100; ${process.execPath} ${file('bin/coe.js')} ${line}`
  return new Promise(resolve => {
    execFile(script, ['-qec', command, '/dev/null'], { env }, (_error, out) =>
      resolve(out.trim().split('\r\n')),
    ).stdin?.end()
  })
}

describe.skipIf(!existsSync(file('dist/launch.cjs')) || !existsSync(script))('long output at a terminal', () => {
  const paged = (lines: readonly string[]) => lines.filter(l => l.startsWith('P:')).length

  it('goes through PAGER, which is told how less should behave', async () => {
    const lines = await onTerminal('help options', 10, { PAGER: 'sed "s/^/P:$LESS /"' })
    expect(lines[0]).toBe('P:FRX Give these options before or after any command.')
    expect(paged(lines)).toBe(lines.length)
    expect(lines.length).toBeGreaterThan(10)
  })

  it.each([
    ['what fits is printed', 'help topics', 30, { PAGER: 'sed s/^/P:/' }],
    ['nobody chose one', 'help options', 10, {}],
    ['COE_PAGER is empty, and beats PAGER', 'help options', 10, { PAGER: 'sed s/^/P:/', COE_PAGER: '' }],
    ['CI', 'help options', 10, { PAGER: 'sed s/^/P:/', CI: '1' }],
    ['there is no such pager', 'help options', 10, { PAGER: 'no-such-pager' }],
  ])('not where %s', async (_, line, rows, env) => {
    const lines = await onTerminal(line, rows, env as Record<string, string>)
    expect(paged(lines)).toBe(0)
    expect(lines.join('\n')).toMatch(/^(Give these options|exit-codes)/m)
  })
})
