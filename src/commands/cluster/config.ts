import { join } from 'node:path'
import type { Context } from '../../cli/context.ts'
import { arg, flag, text, texts } from '../../cli/parse/values.ts'
import { type Column, defineCommand } from '../../cli/spec.ts'
import { userPath } from '../../config/paths.ts'
import { notFound, usage } from '../../core/errors.ts'
import { readIfExists } from '../../core/files.ts'
import { formatDuration } from '../../core/time.ts'
import type { AccessRequest, ClusterAccess } from '../../model/cluster-access.ts'
import { certificateFiles, refuseExisting, writeCertificates, writeOwn } from './config-files.ts'
import { dockerLines, kubeconfigLine } from './config-lines.ts'

const columns: readonly Column[] = [
  { name: 'cluster', type: 'string', help: 'name of the cluster', nullable: false },
  { name: 'uuid', type: 'string', help: 'its identifier', nullable: false },
  { name: 'server', type: 'string', help: 'address of its API', nullable: false },
  { name: 'context', type: 'string', help: 'name of the context in the kubeconfig' },
  { name: 'user', type: 'string', help: 'name of the user in the kubeconfig' },
  { name: 'file', type: 'string', help: 'the kubeconfig' },
  { name: 'expires_at', type: 'string', help: 'when the certificate expires' },
]

interface ConfigOptions {
  dir: string | undefined
  force: boolean
  outputCerts: boolean
  useCertificate: boolean
  useKeystone: boolean
  stdout: boolean
  merge: boolean
  contextName: string | undefined
  user: string | undefined
  group: string[]
  clusterCa: string | undefined
}

export const clusterConfig = defineCommand({
  words: 'cluster config',
  summary: 'Get a kubeconfig for a cluster',
  description:
    'Writes a kubeconfig with a new certificate for the cluster, and prints the command that makes the shell use it. The certificate makes its holder an administrator of the cluster, unless you give --user and --group. In standalone mode it writes a kubeconfig with one context, its own credentials, and the content of the files that it names.',
  args: { cluster: arg('name or uuid of the cluster', { complete: 'cluster' }) },
  options: {
    dir: text('dir', 'folder', 'where to write; created if missing', { fallback: 'this folder', complete: 'folder' }),
    force: flag('force', 'overwrite existing files'),
    outputCerts: flag('output-certs', 'also write key.pem, cert.pem and ca.pem'),
    useCertificate: flag('use-certificate', 'log in with a certificate (the default)'),
    useKeystone: flag(
      'use-keystone',
      'log in with OpenStack tokens, which kubectl gets from coe, instead of a certificate',
    ),
    stdout: flag('stdout', 'print the kubeconfig instead of writing it'),
    merge: flag('merge', 'add it to $KUBECONFIG or ~/.kube/config, under names of its own'),
    contextName: text('context-name', 'name', 'name of the context', {
      fallback: "default; with --merge the cluster's",
    }),
    user: text('user', 'name', 'user that the certificate is for', { fallback: 'admin' }),
    group: texts('group', 'group', 'group of that user; repeatable (default: system:masters, with --user none)'),
    clusterCa: text('cluster-ca', 'file', "the cluster's CA, for users who cannot get it from Magnum", {
      complete: 'file',
    }),
  },
  examples: [
    { line: 'eval $(coe cluster config prod --dir ~/prod)', help: 'make kubectl in this shell use the cluster' },
    { line: 'coe cluster config prod --merge', help: 'add the context "prod" to your kubeconfig' },
    { line: 'coe cluster config prod --stdout --user jane --group dev', help: 'a kubeconfig for Jane' },
    { line: 'coe --standalone cluster config c2 --stdout', help: 'one context, to pass on or to mount' },
    {
      line: 'coe cluster config prod --merge --use-keystone',
      help: 'log in with OpenStack, for clusters that support it',
    },
  ],
  output: { kind: 'text', columns },
  exits: {
    1: 'the address from Magnum is not https, and the template does not disable TLS',
    4: 'only the user who created the cluster may get its certificates',
    5: 'a file exists already, or the cluster has no API address yet',
  },
  async run(context, { args, options }) {
    checkTogether(context, options)
    const dir = userPath(options.dir ?? '.', context.world)
    const own = !options.stdout && !options.merge
    const files = [...(options.outputCerts ? certificateFiles : []), ...(own ? ['config'] : [])]
    await refuseExisting(dir, files, options.force)
    const { clusters } = await context.backend()
    const access = await clusters.access(context.call, args.cluster, await requestOf(context, options))
    if (options.useKeystone && /^http:/i.test(access.server)) {
      context.warn(
        `the API of cluster "${access.cluster.name}" is not encrypted: your OpenStack token goes there in plain text`,
      )
    }
    if (options.outputCerts) await writeCertificates(dir, access, options.force)
    const other = access.coe !== undefined && access.coe !== 'kubernetes'
    const result = other ? withoutKubernetes(context, access, dir) : await finish(context, access, options, dir)
    noteExpiry(context, access)
    if (options.useKeystone) await noteLogin(context)
    noteTokenFile(context, access)
    return result
  },
})

function checkTogether(context: Context, o: ConfigOptions): void {
  const exclude = (a: string, b: string) => usage(`${a} and ${b} exclude each other`)
  for (const [option, given] of [['--context-name', o.contextName] as const, ['--user', o.user] as const]) {
    if (given === '') throw usage(`${option} is empty`, { hint: 'is a variable of the script empty?' })
  }
  if (o.stdout && o.merge) throw exclude('--stdout', '--merge')
  if (o.stdout && o.outputCerts) throw exclude('--stdout', '--output-certs')
  if (o.stdout && context.formatted) throw exclude('--stdout', '-f')
  if (o.stdout && o.dir !== undefined) throw exclude('--stdout', '--dir')
  if (o.merge && o.dir !== undefined && !o.outputCerts) throw exclude('--merge', '--dir')
  if (o.useKeystone && o.useCertificate) throw exclude('--use-keystone', '--use-certificate')
  if (o.useKeystone && (o.user !== undefined || o.group.length)) {
    throw usage('--user and --group are for a certificate, but --use-keystone does not use one')
  }
}

async function requestOf(context: Context, options: ConfigOptions): Promise<AccessRequest> {
  const path = options.clusterCa && userPath(options.clusterCa, context.world)
  const ca = path && (await readIfExists(path))
  if (path && ca === undefined) throw notFound(`there is no file ${path}`)
  const groups = options.group.length || options.user !== undefined ? options.group : ['system:masters']
  const asked = options.user !== undefined || options.group.length > 0
  const certificate = { user: options.user ?? 'admin', groups, asked }
  return { ...(options.useKeystone ? {} : { certificate }), ...(ca ? { ca } : {}) }
}

async function finish(context: Context, access: ClusterAccess, options: ConfigOptions, dir: string) {
  const [{ kubeconfigParts, kubeconfigText }, exec] = await Promise.all([
    import('./kubeconfig-parts.ts'),
    options.useKeystone ? import('./exec-plugin.ts').then(m => m.execPlugin(context)) : undefined,
  ])
  const naming = { context: options.contextName, user: options.user ?? 'admin', merged: options.merge }
  const parts = kubeconfigParts(access, exec, naming)
  const { names } = parts
  if (options.stdout) return { text: kubeconfigText(parts) }
  let file = join(dir, 'config')
  let line: string
  if (options.merge) {
    const { mergeKubeconfig } = await import('./config-merge.ts')
    const merged = await mergeKubeconfig(context, parts, access.cluster, options.force)
    file = merged.file
    line = `Context "${names.context}" is in ${file} and is the current context${merged.changed ? '' : ': unchanged'}`
  } else {
    await writeOwn(file, kubeconfigText(parts), options.force)
    line = kubeconfigLine(file, context.world.env.SHELL)
  }
  context.say(line)
  const { name, uuid } = access.cluster
  const expires = access.certificate?.expiresAt.toISOString() ?? null
  const { server } = access
  return {
    object: { cluster: name, uuid, server, context: names.context, user: names.user, file, expires_at: expires },
  }
}

function noteExpiry(context: Context, { certificate }: ClusterAccess): void {
  if (!certificate) return
  const left = certificate.expiresAt.getTime() - context.world.clock.now()
  const when = certificate.expiresAt.toISOString().slice(0, 10)
  context.note(`the certificate is valid until ${when} (${formatDuration(left)})`)
}

/** The user is not in the kubeconfig. With an openrc file, the user is only in the environment. */
async function noteLogin(context: Context): Promise<void> {
  const { cloud } = await context.cloud()
  const who = [
    'OS_USERNAME',
    'OS_USER_ID',
    'OS_APPLICATION_CREDENTIAL_ID',
    'OS_APPLICATION_CREDENTIAL_NAME',
    'OS_TOKEN',
  ]
  const used = [...cloud.origins.values()]
  const variable = who.find(name => context.world.env[name] && used.includes(name))
  if (variable)
    context.note(
      `kubectl logs in with credentials from the environment: this works only in shells where ${variable} is set, for example by an openrc file`,
    )
}

/** The content of a token file is not copied, because it changes. */
function noteTokenFile(context: Context, { entries }: ClusterAccess): void {
  const file = entries?.user?.tokenFile
  if (typeof file === 'string')
    context.note(`its token is read from ${file} each time: the kubeconfig works only on this machine`)
}

/** For other engines of older clouds: Docker Swarm is configured with variables, others are not supported. */
function withoutKubernetes(context: Context, access: ClusterAccess, dir: string) {
  const { cluster, coe, server } = access
  if (!coe?.startsWith('swarm')) throw usage(`cluster "${cluster.name}" runs ${coe}, which has no kubeconfig`)
  context.say(dockerLines(access, dir, context.world.env.SHELL))
  const { name, uuid } = cluster
  return { object: { cluster: name, uuid, server, context: null, user: null, file: null, expires_at: null } }
}
