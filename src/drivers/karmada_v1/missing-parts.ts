/** Finds Secrets and Services that were deleted from a running control plane. Its pods keep what they mounted until they restart. */

import type { ClusterApi } from '../../kube/api/cluster-api.ts'
import { isForbidden } from '../../kube/api/errors.ts'
import type { ObjectHealth } from '../../model/federation-health.ts'
import { alsoHolds, authorities, leaves, type SecretName } from './certificates/certificate-table.ts'
import type { Credentials } from './certificates/certificates.ts'
import { serverFile } from './certificates/secrets.ts'
import { adminSecret, authoritiesSecret, type ComponentName, componentLabel, components } from './names.ts'
import { kubeconfigFile } from './templates/kubeconfigs.ts'
import { services } from './templates/services.ts'
import type { Site } from './templates/site.ts'
import { replicas } from './templates/workload.ts'

/** Undefined if the user may not list Services: then missing ones are not reported. */
export async function serviceNames(site: Site, host: ClusterApi, signal: AbortSignal): Promise<string[] | undefined> {
  try {
    const { items } = await host.list({ apiVersion: 'v1', kind: 'Service' }, { namespace: site.namespace, signal })
    return items.map(item => item.metadata.name ?? '')
  } catch (error) {
    if (isForbidden(error)) return undefined
    throw error
  }
}

interface Found {
  credentials: Credentials
  services: readonly string[] | undefined
  /** The components that have a workload. Parts of the others are not created yet, so they are not missing. */
  made: ReadonlySet<string>
}

export function missingParts(site: Site, { credentials, services: found, made }: Found): ObjectHealth[] {
  if (made.size === 0) return []
  const files = expectedFiles(site)
  const secrets = components.filter(name => made.has(name)).flatMap(name => secretProblem(credentials, name, files))
  return [
    ...authoritiesProblem(credentials),
    ...secretProblem(credentials, adminSecret, files),
    ...secrets,
    ...(found === undefined ? [] : missingServices(site, found, made)),
  ]
}

const gone = (name: string, why: string): ObjectHealth => ({ name, healthy: false, reason: why })

function authoritiesProblem(credentials: Credentials): ObjectHealth[] {
  const name = `Secret ${authoritiesSecret}`
  const files = credentials[authoritiesSecret]
  const lost = 'the keys that issued the certificates of this federation are lost: none can be renewed'
  if (!files) return [gone(name, `deleted: ${lost}`)]
  const lacking = authorities
    .flatMap(authority => [`${authority}.crt`, `${authority}.key`])
    .filter(file => !files[file])
  return lacking.length ? [gone(name, `it has no ${lacking.join(', ')}: ${lost}`)] : []
}

function secretProblem(
  credentials: Credentials,
  secret: SecretName,
  expected: ReadonlyMap<SecretName, readonly string[]>,
): ObjectHealth[] {
  const name = `Secret ${secret}`
  const files = credentials[secret]
  const effect =
    secret === adminSecret
      ? "coe cannot access the federation's API without it"
      : 'its pods cannot start again without it'
  if (!files) return [gone(name, `deleted: ${effect}`)]
  const lacking = (expected.get(secret) ?? []).filter(file => !files[file])
  return lacking.length ? [gone(name, `it has no ${lacking.join(', ')}: ${effect}`)] : []
}

/** The names of the files that a control plane needs, by Secret. */
function expectedFiles({ namespace, settings }: Site): Map<SecretName, string[]> {
  const needs = { namespace, members: replicas('etcd', settings.ha), address: '', otherAddresses: [] }
  const files = new Map<SecretName, string[]>()
  for (const [secret, also] of Object.entries(alsoHolds)) files.set(secret as SecretName, [...also])
  for (const { secret, file } of leaves(needs)) {
    const known = files.get(secret) ?? []
    known.push(`${file}.crt`, `${file}.key`)
    if (file === 'client') known.push(secret === adminSecret ? serverFile : kubeconfigFile)
    files.set(secret, known)
  }
  return files
}

function missingServices(site: Site, found: readonly string[], made: ReadonlySet<string>): ObjectHealth[] {
  return services(site).flatMap(({ metadata }) => {
    const { name = '', labels } = metadata
    const component = labels?.[componentLabel] as ComponentName
    if (found.includes(name) || !made.has(component)) return []
    return [gone(`Service ${name}`, `deleted: nothing can reach ${component} by that name`)]
  })
}
