/** Makes the part of a kubeconfig that lets kubectl get a token from coe, for the same cloud wherever kubectl runs. */
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

/** The options that say where to log in. The user is left out, so that others can use the kubeconfig. */
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
    installHint: 'this kubeconfig logs in with coe: install coe, or create the kubeconfig again where coe is installed',
  }
}

/** The options and variables of this run, which may be unset when kubectl runs. */
function placeArguments({ globals, world }: Context): string[] {
  return cloudOptions
    .filter(option => places.includes(option.name))
    .flatMap(option => {
      const value = (globals[option.name] as string | undefined) || world.env[option.env]
      if (!value) return []
      return [`--${option.name}`, option.name === 'os-cacert' ? userPath(value, world) : value]
    })
}

/** The name if the shell finds this program by it, otherwise the path. */
async function howToCall({ host, world }: Context): Promise<readonly string[]> {
  const mine = await realpath(host.self[1] as string).catch(() => undefined)
  for (const folder of (world.env.PATH ?? '').split(':')) {
    const found = folder && (await realpath(join(folder, 'coe')).catch(() => undefined))
    if (found && found === mine) return ['coe']
  }
  return mine === undefined ? ['coe'] : [host.self[0] as string, mine]
}
