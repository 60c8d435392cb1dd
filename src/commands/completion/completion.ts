import { completionScripts, type Shell } from '../../cli/complete/completion-scripts.ts'
import { choiceArg } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'

export const completion = defineCommand({
  words: 'completion',
  summary: 'Print a script that completes coe in your shell',
  description:
    'Prints a script for bash, zsh or fish. It completes commands, options, their values, and the names of clusters, templates, node groups, federations and clouds.',
  args: { shell: choiceArg('your shell', ['bash', 'zsh', 'fish'] as const) },
  options: {},
  examples: [
    { line: 'source <(coe completion bash)', help: 'for this shell; put it into ~/.bashrc for all shells' },
    { line: 'coe completion fish > ~/.config/fish/completions/coe.fish', help: 'fish' },
  ],
  output: { kind: 'raw' },
  offline: true,
  async run(_context, { args }) {
    return { text: completionScripts[args.shell as Shell] }
  },
})
