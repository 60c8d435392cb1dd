import { defineCommand } from '../../cli/spec.ts'
import { nextStep } from '../../core/next-step.ts'
import { runInside } from './child.ts'
import { sandboxOptions, simulation } from './options.ts'

export const sandboxShell = defineCommand({
  words: 'sandbox shell',
  summary: 'Open a shell in a simulated cloud',
  description:
    'Starts a simulated cloud, and your shell with an environment that leads to it. The cloud stops when the shell ends.',
  args: {},
  options: sandboxOptions,
  examples: [{ line: 'coe sandbox shell --clusters 5', help: 'a playground; "exit" ends it' }],
  output: { kind: 'raw' },
  offline: true,
  async run(context, { options }) {
    const { env } = context.world
    context.note(`${simulation}\nleave it with "exit"`, [nextStep('try', 'cluster list')])
    return { exit: await runInside(context, [env.SHELL ?? '/bin/sh'], options, { PS1: '(coe sandbox) \\w$ ' }) }
  },
})
