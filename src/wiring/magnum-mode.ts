/** Opens Magnum mode: the cloud's session, and the backend that uses it. All of it is loaded together. */

import { preferredCloud } from '../cli/mode.ts'
import { cloudFlags } from '../cli/options/globals.ts'
import { type CloudReader, loadCloud } from '../config/clouds/clouds.ts'
import { coePaths } from '../config/paths.ts'
import type { Settings } from '../config/settings.ts'
import { usage } from '../core/errors.ts'
import { password } from '../io/prompt.ts'
import { readInput, type Streams } from '../io/streams.ts'
import type { InlineAccess } from '../kube/access/connect.ts'
import { magnumBackend } from '../magnum/backend.ts'
import type { Backend } from '../model/backend.ts'
import { type CloudSession, openSession } from '../openstack/session.ts'
import type { BackendDeps } from './open-backend.ts'
import type { OpenerInput } from './opener.ts'

export async function openMagnum({ world, secrets, userAgent, tracer, cloud }: BackendDeps): Promise<Backend> {
  if (cloud === undefined) throw usage('no cloud is configured', { hint: 'name one with --os-cloud (OS_CLOUD)' })
  return magnumBackend(await cloud(), world.clock, async (access: InlineAccess) => {
    const { connectCluster, inlineAccess } = await import('../kube/access/connect.ts')
    secrets.addSecret(access.key)
    return connectCluster(inlineAccess(access), { world, userAgent, tracer, attempts: 1 })
  })
}

interface CloudUser extends Omit<OpenerInput, 'settings'> {
  settings: Settings
  userAgent: string
  clouds: CloudReader
}

/** Opens the cloud that the user's clouds.yaml, environment and options name. */
export async function openCloud(user: CloudUser): Promise<CloudSession> {
  const { globals, settings, userAgent, secrets, tracer, log, interactive } = user
  const { world, streams } = user.host
  const flags = { ...cloudFlags(globals), ...(globals.passwordStdin ? await piped(streams) : {}) }
  const cloud = await loadCloud(world, flags, preferredCloud(settings), user.clouds)
  for (const warning of cloud.warnings) log.warn(warning)
  log.info(() => `cloud "${cloud.name}" (${cloud.chosenBy}), ${cloud.auth.auth_url ?? 'without a Keystone'}`)
  if (!cloud.verify) log.warn('TLS certificates are not verified')
  for (const key of ['password', 'token', 'application_credential_secret']) secrets.addSecret(cloud.auth[key])
  const { cache } = coePaths(world)
  const ask = async () => {
    return password(streams, 'Password', { interactive: true, option: 'OS_PASSWORD' })
  }
  return openSession({
    cloud,
    world,
    userAgent,
    tracer,
    tell: text => log.info(text),
    cacheFolder: settings.get('token_cache').value && cache ? `${cache}/tokens` : undefined,
    addSecret: secrets.addSecret,
    askPassword: interactive ? ask : undefined,
  })
}

/** For example from a password store: on the command line, every process of the machine could read the password. */
async function piped({ stdin }: Streams): Promise<{ 'os-password': string }> {
  const password = (await readInput(stdin)).replace(/\r?\n$/, '')
  if (password !== '') return { 'os-password': password }
  throw usage('--password-stdin: there is no password on standard input', {
    hint: 'pipe it in: pass show cloud | coe auth login --password-stdin',
  })
}
