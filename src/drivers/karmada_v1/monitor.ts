/** The health of a federation: its components on the host, its API, its members and its certificates. */

import { awaitAll, resultOf } from '../../core/concurrency.ts'
import { CoeError, hasOutcome } from '../../core/errors.ts'
import type { CoeStep } from '../../core/next-step.ts'
import type { ClusterApi } from '../../kube/api/cluster-api.ts'
import { type KubeObject, refOf, refText } from '../../kube/api/object.ts'
import { labelSelector } from '../../kube/api/selector.ts'
import { podTrouble } from '../../kube/waiting/pod-trouble.ts'
import { judge } from '../../kube/waiting/readiness.ts'
import type { CertificateHealth, ComponentHealth, FederationHealth } from '../../model/federation-health.ts'
import { daysLeft, inspect } from '../../pki/inspect.ts'
import { alsoHolds, authorities, type SecretName } from './certificates/certificate-table.ts'
import { type Credentials, renewBelowDays } from './certificates/certificates.ts'
import { readSecrets, serverFile } from './certificates/secrets.ts'
import { listMembers } from './join/members.ts'
import { lostData, stored } from './lost-data.ts'
import { missingParts, serviceNames } from './missing-parts.ts'
import { adminSecret, authoritiesSecret, components } from './names.ts'
import type { Site } from './templates/site.ts'

/** Replacing an authority needs planning, so the warning comes early. */
const authorityWarningDays = 180

export interface HealthCheck {
  site: Site
  host: ClusterApi
  /** Connects with the administrator's certificate, which has been read already. Undefined if there is no address yet. */
  enter(credentials: Credentials): Promise<{ server: string; api: ClusterApi } | undefined>
  now: number
  /** The command that recreates what is missing. */
  remedy: CoeStep
  signal: AbortSignal
}

export async function federationHealth({
  site,
  host,
  enter,
  now,
  remedy,
  signal,
}: HealthCheck): Promise<FederationHealth> {
  const [parts, credentials, services] = await awaitAll([
    componentHealth(site, host, signal),
    readSecrets(host, site, signal),
    serviceNames(site, host, signal),
  ])
  const made = new Set(parts.filter(part => part.replicas.wanted > 0).map(part => part.name))
  const onHost = {
    components: parts,
    certificates: certificateHealth(credentials, now),
    objects: missingParts(site, { credentials, services, made }),
  }
  const entered = await enter(credentials)
  if (!entered) {
    return {
      ...onHost,
      api: {
        server: credentials[adminSecret]?.[serverFile] ?? null,
        reachable: false,
        reason: 'its API has no address yet',
      },
    }
  }
  const { server, api } = entered
  try {
    const [version, lost, listed] = await awaitAll([
      api.version({ signal }),
      lostData(api, site, { remedy, thorough: true, signal }),
      resultOf(listMembers(api, signal)),
    ])
    const objects = [...onHost.objects, ...lost.objects]
    const answers = { server, reachable: true, version: version.gitVersion }
    // an API that has lost its kinds has no members
    if (!listed.ok && lost.objects.length > 0 && hasOutcome(listed.error, 'notFound'))
      return { ...onHost, objects, members: [], api: answers }
    if (!listed.ok) throw listed.error
    const members = lost.fromMemory ? await stored(listed.value, api, signal) : listed.value
    return { ...onHost, objects, members, api: answers }
  } catch (error) {
    if (!(error instanceof CoeError)) throw error
    return { ...onHost, api: { server, reachable: false, reason: error.message } }
  }
}

async function componentHealth(site: Site, host: ClusterApi, signal: AbortSignal): Promise<ComponentHealth[]> {
  const selection = { namespace: site.namespace, labels: labelSelector(site.labels), signal }
  const [deployments, sets] = await awaitAll([
    host.list({ apiVersion: 'apps/v1', kind: 'Deployment' }, selection),
    host.list({ apiVersion: 'apps/v1', kind: 'StatefulSet' }, selection),
  ])
  const found = new Map([...sets.items, ...deployments.items].map(o => [o.metadata.name, o]))
  return Promise.all(
    components.map(async name => {
      const object = found.get(name)
      return object ? workloadHealth(name, object, host, signal) : missing(name)
    }),
  )
}

const missing = (name: string): ComponentHealth => ({
  name,
  ready: false,
  replicas: { ready: 0, wanted: 0 },
  reason: 'not created',
})

async function workloadHealth(
  name: string,
  object: KubeObject,
  host: ClusterApi,
  signal: AbortSignal,
): Promise<ComponentHealth> {
  const verdict = judge(object)
  const wanted = object.spec?.replicas ?? 1
  const image = object.spec?.template?.spec?.containers?.[0]?.image as string | undefined
  const health = {
    name,
    ready: verdict.ready,
    replicas: { ready: object.status?.readyReplicas ?? 0, wanted },
    ...(image ? { image } : {}),
  }
  if (verdict.ready) return health
  const trouble = await podTrouble(host, object, signal).catch(() => undefined)
  return { ...health, reason: trouble?.text ?? `${refText(refOf(object))}: ${verdict.why}` }
}

/** Lists each certificate once: many Secrets contain copies of the authorities' certificates. */
export function certificateHealth(credentials: Credentials, now: number): CertificateHealth[] {
  const health = (name: string, pem: string, least: number): CertificateHealth[] => {
    try {
      const facts = inspect(pem)
      const days = Math.floor(daysLeft(facts, now))
      return [{ name, not_after: facts.notAfter.toISOString(), days_left: days, due: days < least }]
    } catch {
      return [{ name, not_after: '', days_left: 0, due: true }]
    }
  }
  const own = authorities.flatMap(name => {
    const pem = credentials[authoritiesSecret]?.[`${name}.crt`]
    return pem ? health(`${authoritiesSecret}/${name}.crt`, pem, authorityWarningDays) : []
  })
  const secrets = Object.keys(alsoHolds) as SecretName[]
  const leaves = secrets.flatMap(secret =>
    Object.entries(credentials[secret] ?? {})
      .filter(([file]) => file.endsWith('.crt') && !alsoHolds[secret].includes(file))
      .flatMap(([file, pem]) => health(`${secret}/${file}`, pem, renewBelowDays)),
  )
  return [...own, ...leaves]
}
