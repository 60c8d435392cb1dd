/** Options of every command, before or after its words. */
import { cloudOptions } from '../../config/clouds/cloud-options.ts'
import { choice, flag, tally, text } from '../parse/values.ts'
import type { OptionSpec, Values } from '../spec.ts'

const group = 'Global'

const ownGlobals = {
  help: flag('help', 'show help', { short: 'h', group }),
  version: flag('version', 'show the version', { group }),
  standalone: flag('standalone', 'use kubeconfig contexts instead of Magnum', {
    group,
    env: 'COE_MODE=standalone',
  }),
  kubeconfig: text('kubeconfig', 'file', 'kubeconfig file(s) to read', {
    group,
    env: 'KUBECONFIG',
    complete: 'file',
    mode: 'standalone',
  }),
  quiet: flag('quiet', 'no progress, notes or warnings', { short: 'q', group }),
  verbose: tally('verbose', 'say what coe is doing; -vv is --debug', { short: 'v', group }),
  debug: flag('debug', 'show each request and how long it took', { group }),
  trace: flag('trace', 'show the bodies of requests too (secrets removed)', { group }),
  logFile: text('log-file', 'file', 'write what --debug shows to this file', { group, complete: 'file' }),
  color: choice('color', ['auto', 'always', 'never'], 'colour (default: auto)', { group, env: 'NO_COLOR' }),
  noInput: flag('no-input', 'never ask; fail if an answer is needed', { group }),
  insecure: flag('insecure', 'do not verify TLS certificates', { group }),
  verify: flag('verify', 'verify TLS certificates (the default)', { group, hidden: true }),
  passwordStdin: flag('password-stdin', 'read the password from standard input', {
    group: 'OpenStack',
    mode: 'magnum',
    secret: true,
  }),
  timing: flag('timing', 'print how long each request took', { group }),
}

export const globalOptions: Record<string, OptionSpec> & typeof ownGlobals = {
  ...ownGlobals,
  ...Object.fromEntries(
    cloudOptions.map(o => [
      o.name,
      text(o.name, o.value, o.help, {
        group: 'OpenStack',
        env: o.env,
        ...(o.secret ? { secret: true } : {}),
        ...(o.aliases ? { also: o.aliases.map(a => `--${a}`) } : {}),
        complete: o.name === 'os-cloud' ? 'cloud' : o.value === 'file' ? 'file' : 'none',
        mode: 'magnum',
      }),
    ]),
  ),
}

export type Globals = Values<typeof ownGlobals> & Record<string, unknown>

/** The `--os-*` options on the command line by their long names, for config/clouds/clouds.ts. */
export function cloudFlags(globals: Globals): Record<string, string | boolean | undefined> {
  const flags: Record<string, string | boolean | undefined> = {}
  for (const option of cloudOptions) flags[option.name] = globals[option.name] as string | undefined
  if (globals.insecure) flags.insecure = true
  if (globals.verify) flags.verify = true
  return flags
}
