import { args } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { runInside } from './child.ts'
import { sandboxOptions, simulation } from './options.ts'

export const sandboxRun = defineCommand({
  words: 'sandbox run',
  summary: 'Run a command in a simulated cloud',
  description:
    "Starts a simulated cloud on this machine (Keystone, Magnum and Kubernetes API servers over TLS on loopback), runs the command with an environment that leads to it, and stops the cloud. The exit code is the command's.",
  args: { command: args('the command and its arguments, after --') },
  options: sandboxOptions,
  examples: [
    { line: 'coe sandbox run -- coe cluster list', help: 'try a command without a cloud' },
    { line: 'coe sandbox run --federation working -- ./my-script.sh', help: 'test a script' },
  ],
  output: { kind: 'raw' },
  offline: true,
  strangeOption: 'put -- before the command to give it options: coe sandbox run -- coe cluster list -f json',
  async run(context, { args, options }) {
    context.note(simulation)
    return { exit: await runInside(context, args.command, options) }
  },
})
