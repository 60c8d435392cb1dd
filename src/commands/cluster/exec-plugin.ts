/** The part of a kubeconfig that makes kubectl call coe for a token: with what leads to the same cloud from anywhere. */
import { realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Context } from '../../cli/context.ts'
import { cloudOptions } from '../../config/clouds/cloud-options.ts'
import { userPath } from '../../config/paths.ts'

export interface ExecPlugin {
  apiVersion: string
  command: string
  args: string[]
  env: { name: string; value: string }[] | null
  interactiveMode: 'IfAvailable'
  provideClusterInfo: boolean
  installHint: string
}

/** Where to log in and to what; who logs in stays open, so that a kubeconfig can be handed on. */
const places = [
  ...['os-auth-type', 'os-auth-url', 'os-region-name', 'os-interface', 'os-cacert', 'os-identity-api-version'],
  ...['os-project-name', 'os-project-id', 'os-project-domain-name', 'os-project-domain-id', 'os-system-scope'],
]

export async function execPlugin(context: Context): Promise<ExecPlugin> {
  const { cloud } = await context.cloud()
  const [command, ...before] = await howToCall(context)
  const named = cloud.files.length > 0 ? ['--os-cloud', cloud.name] : []
  const env = cloud.files.map(path => ({
    name: /^secure\./.test(basename(path)) ? 'OS_CLIENT_SECURE_FILE' : 'OS_CLIENT_CONFIG_FILE',
    value: path,
  }))
  return {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: command as string,
    args: [...before, 'auth', 'kubectl-token', ...named, ...placeArguments(context)],
    env: env.length ? env : null,
    interactiveMode: 'IfAvailable',
    provideClusterInfo: false,
    installHint: 'this kubeconfig logs in through coe; install it, or make the kubeconfig anew where it is installed',
  }
}

/** What the command line and the environment say now, and may not say when kubectl runs. */
function placeArguments({ globals, world }: Context): string[] {
  return cloudOptions
    .filter(option => places.includes(option.name))
    .flatMap(option => {
      const value = (globals[option.name] as string | undefined) || world.env[option.env]
      if (!value) return []
      return [`--${option.name}`, option.name === 'os-cacert' ? userPath(value, world) : value]
    })
}

/** By name where the shell would find this very program; else by where it lies. */
async function howToCall({ host, world }: Context): Promise<readonly string[]> {
  const mine = await realpath(host.self[1] as string).catch(() => undefined)
  for (const folder of (world.env.PATH ?? '').split(':')) {
    const found = folder && (await realpath(join(folder, 'coe')).catch(() => undefined))
    if (found && found === mine) return ['coe']
  }
  return mine === undefined ? ['coe'] : [host.self[0] as string, mine]
}
