/** One context with everything needed to reach its cluster, checked as far as possible without a request. */
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type CoeError, denied, errorCode, notFound, usage } from '../../core/errors.ts'
import { didYouMean, someOf } from '../../core/text.ts'
import { formatDuration } from '../../core/time.ts'
import type { World } from '../../core/world.ts'
import { isMapping, type Mapping } from '../yaml/yaml-file.ts'
import type { Kubeconfig, KubeEntry } from './kubeconfig-read.ts'

export interface KubeAccess {
  /** Name of the context. */
  readonly name: string
  readonly server: string
  /** Certificates to trust, as PEM text. */
  readonly ca: string | undefined
  readonly tlsServerName: string | undefined
  readonly insecure: boolean
  readonly proxyUrl: string | undefined
  readonly namespace: string | undefined
  /** Client certificate and key, as PEM text. */
  readonly cert: string | undefined
  readonly key: string | undefined
  /** The user entry as written (token, exec, as-groups, …), with absolute file names. */
  readonly user: Mapping
  /** The cluster entry's configuration for credential plugins: its extension `client.authentication.k8s.io/exec`. */
  readonly execConfig?: unknown
  readonly clusterEntry: string
  readonly userEntry: string | undefined
  /** The file the context is in. */
  readonly file: string
}

/** @param name defaults to the current context */
export async function resolveContext(world: World, config: Kubeconfig, name?: string): Promise<KubeAccess> {
  const context = findContext(config, name)
  const cluster = linked(config, context, 'cluster')
  if (!cluster) {
    throw usage(`context "${context.name}" in ${context.file} has no cluster`, {
      hint: `give it one, like cluster: NAME; clusters: ${someOf([...config.clusters.keys()]) || 'none'}`,
    })
  }
  const userEntry = linked(config, context, 'user')
  const user = absoluteUser(userEntry)
  const [ca, cert, key] = await Promise.all([
    pem(cluster, 'cluster', 'certificate-authority'),
    userEntry && pem(userEntry, 'user', 'client-certificate'),
    userEntry && pem(userEntry, 'user', 'client-key'),
  ])
  const insecure = isTrue(cluster.value['insecure-skip-tls-verify'])
  if (insecure && ca) {
    throw usage(`${where(cluster, 'cluster')} has a certificate authority and insecure-skip-tls-verify: true`, {
      hint: 'remove one of the two; kubectl refuses this as well',
    })
  }
  if (cert && userEntry) checkExpiry(cert, context, userEntry, world.clock.now())
  if (userEntry && (cert === undefined) !== (key === undefined)) {
    throw usage(
      `${where(userEntry, 'user')} has a ${cert ? 'client certificate without its key' : 'client key without its certificate'}`,
      { hint: 'client-certificate and client-key (or both with -data) belong together' },
    )
  }
  return {
    name: context.name,
    server: serverOf(cluster, ca !== undefined || insecure),
    ca,
    tlsServerName: text(cluster.value['tls-server-name']),
    insecure,
    proxyUrl: text(cluster.value['proxy-url']),
    namespace: text(context.value.namespace),
    cert,
    key,
    user,
    execConfig: execExtension(cluster.value.extensions),
    clusterEntry: cluster.name,
    userEntry: userEntry?.name,
    file: context.file,
  }
}

const rewrite = 'write this kubeconfig again with the program that made it, or correct it by hand'

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const isTrue = (value: unknown): boolean => value === true || value === 'true'
const at = (entry: KubeEntry): string => (entry.line === undefined ? entry.file : `${entry.file}:${entry.line}`)
const where = (entry: KubeEntry, kind: string): string => `${kind} "${entry.name}" in ${at(entry)}`

const execExtension = (extensions: unknown): unknown =>
  Array.isArray(extensions)
    ? extensions.filter(isMapping).find(e => e.name === 'client.authentication.k8s.io/exec')?.extension
    : undefined

function findContext(config: Kubeconfig, name: string | undefined): KubeEntry {
  const names = [...config.contexts.keys()]
  const there = names.length ? `contexts: ${someOf(names)}` : undefined
  const read = config.files.join(', ') || 'no file was found'
  const wanted = name ?? config.currentContext?.name
  if (wanted === undefined) {
    if (names.length)
      throw usage(`no context is named, and the kubeconfig has no current one (${read})`, { hint: there })
    throw notFound('there is no kubeconfig with a context in it', {
      hint: config.paths.length
        ? `looked at ${config.paths.join(', ')}`
        : 'set KUBECONFIG; there is no home folder to look in',
    })
  }
  const context = config.contexts.get(wanted)
  if (context) return context
  const near = didYouMean(wanted, names)
  const which = name === undefined ? `the current context "${wanted}"` : `context "${wanted}"`
  throw notFound(`${which} is not in the kubeconfig (${read})`, {
    hint: [near, there].filter(Boolean).join(' ') || undefined,
  })
}

function linked(config: Kubeconfig, context: KubeEntry, kind: 'cluster' | 'user'): KubeEntry | undefined {
  const name = text(context.value[kind])
  if (name === undefined) return undefined
  const entries = kind === 'cluster' ? config.clusters : config.users
  const entry = entries.get(name)
  if (entry) return entry
  throw usage(`context "${context.name}" in ${at(context)} refers to the ${kind} "${name}", which no kubeconfig has`, {
    hint: didYouMean(name, entries.keys()) ?? `${kind}s: ${someOf([...entries.keys()]) || 'none'}`,
  })
}

/** Relative names are relative to the kubeconfig that contains them, not to the working folder. */
function absoluteUser(entry: KubeEntry | undefined): Mapping {
  if (!entry) return {}
  const user: Mapping = { ...entry.value }
  for (const key of ['client-certificate', 'client-key', 'tokenFile']) {
    const path = text(user[key])
    if (path !== undefined) user[key] = resolve(dirname(entry.file), path)
  }
  const exec = user.exec
  // a bare command is searched in PATH; one with a folder is relative to the kubeconfig
  if (isMapping(exec) && typeof exec.command === 'string' && exec.command.includes('/')) {
    user.exec = { ...exec, command: resolve(dirname(entry.file), exec.command) }
  }
  return user
}

/** `…-data` beats the file, as in kubectl. */
async function pem(entry: KubeEntry, kind: string, key: string): Promise<string | undefined> {
  const data = text(entry.value[`${key}-data`])
  if (data !== undefined) {
    const compact = data.replace(/\s/g, '')
    const decoded = Buffer.from(compact, 'base64')
    if (!/^[A-Za-z0-9+/]+=*$/.test(compact) || decoded.length === 0) {
      throw usage(`${key}-data of ${where(entry, kind)} is not base64`, { hint: rewrite })
    }
    return checkedPem(decoded.toString('utf8'), `${key}-data of ${where(entry, kind)}`)
  }
  const written = text(entry.value[key])
  if (written === undefined) return undefined
  const path = resolve(dirname(entry.file), written)
  try {
    return checkedPem(await readFile(path, 'utf8'), `${path}, the ${key} of ${where(entry, kind)},`)
  } catch (error) {
    const code = errorCode(error)
    if (!code) throw error
    const reason =
      code === 'ENOENT'
        ? 'does not exist'
        : code === 'EACCES'
          ? 'cannot be read (permission denied)'
          : `cannot be read (${code})`
    throw usage(`${path}, the ${key} of ${where(entry, kind)}, ${reason}`, {
      hint: `correct "${key}" there (relative paths start at the kubeconfig's folder), or embed it as ${key}-data`,
      cause: error,
      details: { file: path, code },
    })
  }
}

function checkedPem(content: string, what: string): string {
  if (!/-----BEGIN [A-Z0-9 ]+-----/.test(content))
    throw usage(`${what} is not PEM: it has no "-----BEGIN" line`, { hint: rewrite })
  return content
}

function checkExpiry(cert: string, context: KubeEntry, user: KubeEntry, now: number): void {
  let expires: number
  try {
    expires = Date.parse(new X509Certificate(cert).validTo)
  } catch (cause) {
    throw usage(`the client certificate of ${where(user, 'user')} cannot be parsed`, { hint: rewrite, cause })
  }
  if (expires > now) return
  throw denied(
    `the client certificate of ${where(user, 'user')} expired ${formatDuration(now - expires)} ago (${new Date(expires).toISOString()})`,
    {
      hint: `get new credentials for context "${context.name}" from the administrator of its cluster`,
      details: { file: user.file, code: 'CERT_HAS_EXPIRED' },
    },
  )
}

function serverOf(cluster: KubeEntry, tls: boolean): string {
  const written = text(cluster.value.server)
  if (written === undefined) {
    throw usage(`${where(cluster, 'cluster')} has no server`, { hint: 'give it one, like server: https://host:6443' })
  }
  // kubectl's rule for an address without a scheme
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(written) ? written : `${tls ? 'https' : 'http'}://${written}`
  if (!URL.canParse(full) || !/^https?:$/.test(new URL(full).protocol)) throw badServer(cluster)
  return full.replace(/\/+$/, '')
}

const badServer = (cluster: KubeEntry): CoeError =>
  usage(`the server of ${where(cluster, 'cluster')} is not an address like https://host:6443`, { hint: rewrite })
