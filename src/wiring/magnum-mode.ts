/** What a run in Magnum mode stands on: the cloud's session, and the backend over it. Loaded as one. */
import type { Context } from '../cli/context.ts'
import { preferredCloud } from '../cli/mode.ts'
import { cloudFlags } from '../cli/options/globals.ts'
import { requestTracer } from '../cli/tracer.ts'
import { version } from '../cli/version.ts'
import { loadCloud } from '../config/clouds/clouds.ts'
import { coePaths } from '../config/paths.ts'
import { usage } from '../core/errors.ts'
import { readInput } from '../io/streams.ts'
import type { InlineAccess } from '../kube/access/connect.ts'
import { magnumBackend } from '../magnum/backend.ts'
import type { Backend } from '../model/backend.ts'
import { type CloudSession, openSession } from '../openstack/session.ts'

export async function openMagnum(context: Context): Promise<Backend> {
  const { world, redactor } = context
  return magnumBackend(await context.cloud(), world.clock, async (access: InlineAccess) => {
    const { connectCluster, inlineAccess } = await import('../kube/access/connect.ts')
    redactor.addSecret(access.key)
    return connectCluster(inlineAccess(access), {
      world,
      userAgent: userAgent(context),
      tracer: requestTracer(context),
      attempts: 1,
    })
  })
}

const userAgent = (context: Context): string => `coe/${version} node/${context.host.versions.node}`

export async function openCloud(context: Context): Promise<CloudSession> {
  const { world, streams, redactor, globals } = context
  const settings = await context.settings()
  const flags = { ...cloudFlags(globals), ...(globals.passwordStdin ? await piped(context) : {}) }
  const cloud = await loadCloud(world, flags, preferredCloud(settings))
  for (const warning of cloud.warnings) context.warn(warning)
  context.log.info(() => `cloud "${cloud.name}" (${cloud.chosenBy}), ${cloud.auth.auth_url ?? 'without a Keystone'}`)
  if (!cloud.verify) context.warn('TLS certificates are not verified')
  for (const key of ['password', 'token', 'application_credential_secret']) redactor.addSecret(cloud.auth[key])
  const { cache } = coePaths(world)
  const ask = async () => {
    const { password } = await import('../io/prompt.ts')
    return password(streams, 'Password', { interactive: true, option: 'OS_PASSWORD' })
  }
  return openSession({
    cloud,
    world,
    userAgent: userAgent(context),
    tracer: requestTracer(context),
    tell: text => context.log.info(text),
    cacheFolder: settings.get('token_cache').value && cache ? `${cache}/tokens` : undefined,
    addSecret: redactor.addSecret,
    askPassword: context.interactive ? ask : undefined,
  })
}

/** From a password store, say: on the command line every process of the machine could see it. */
async function piped({ streams }: Context): Promise<{ 'os-password': string }> {
  const password = (await readInput(streams.stdin)).replace(/\r?\n$/, '')
  if (password !== '') return { 'os-password': password }
  throw usage('--password-stdin: no password came on standard input', {
    hint: 'pipe it in: pass show cloud | coe auth login --password-stdin',
  })
}
