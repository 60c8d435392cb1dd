/**
 * Authorities whose keys are lost. They are replaced only when the user says so: every kubeconfig of the federation ends with
 * them. The members of an etcd would refuse each other while one after the other is started anew, so they believe both
 * authorities until all of them have certificates of the new one.
 */
import { conflict } from '../../../core/errors.ts'
import { type CoeStep, extended, flagArg, hasOption } from '../../../core/next-step.ts'
import type { KubeObject } from '../../../kube/api/object.ts'
import type { Step } from '../../../plan/step.ts'
import type { CreateOutputs } from '../create/create.ts'
import { storeUser } from '../create/store-user.ts'
import { authoritiesSecret, components } from '../names.ts'
import { aggregatedApiServer } from '../templates/aggregated-api-server.ts'
import { apiServer } from '../templates/api-server.ts'
import { etcd } from '../templates/etcd.ts'
import type { Checksums, Site } from '../templates/site.ts'
import { type Credentials, checksum, type Files, formerAuthority, lostAuthorities } from './certificates.ts'
import { readSecrets, secretObjects } from './secrets.ts'

export interface AuthorityChange {
  /** The user accepts new ones in place of those that are lost. */
  accepted: boolean
  /** The plan takes etcd from one authority to another, one member after the other. */
  inEtcd: boolean
}

interface Asked extends Partial<AuthorityChange> {
  federation: string
  resume: CoeStep
}

/** Also asked right before they are issued: they may have been lost since the plan was made. */
export function refuseLost(
  before: Credentials,
  site: Site,
  now: number,
  { federation, resume, accepted, inEtcd }: Asked,
) {
  const lost = lostAuthorities(before, now)
  if (lost.length === 0 || (accepted && (inEtcd || !changesEtcd(before, site, now)))) return
  const secret = `Secret ${site.namespace}/${authoritiesSecret}`
  const how = before[authoritiesSecret] ? `has no usable ${lost.join(', ')}` : 'is gone'
  throw conflict(
    `the keys of the authorities of federation "${federation}" are lost (${secret} ${how}), but all its certificates were issued with them`,
    {
      hint: 'restore the Secret from a backup if there is one',
      next: [
        extended(
          resume,
          'new authorities invalidate every kubeconfig of the federation and restart its control plane',
          ...flagArg(newAuthorities, !hasOption(resume, newAuthorities)),
        ),
      ],
    },
  )
}

const newAuthorities = 'new-authorities'

/** Is one etcd after the other to go from one authority to another, or on the way there? */
export const changesEtcd = (before: Credentials, site: Site, now: number): boolean =>
  site.settings.ha &&
  (before[authoritiesSecret]?.[formerAuthority] !== undefined || lostAuthorities(before, now).includes('etcd-ca'))

/** What etcd and its clients use between them. */
const between = ['etcd', 'karmada-apiserver', 'karmada-aggregated-apiserver'] as const
const pairs = ['tls', 'peer', 'etcd-client']
const isOfEtcd = (secret: string, file: string): boolean =>
  pairs.some(pair => file === `${pair}.crt` || file === `${pair}.key`) &&
  (secret === 'etcd' || file.startsWith('etcd-client'))

type Phase = 'trust' | 'issue'

/** The Secrets of one phase. What has nothing to do with etcd stays as it was until both are over. */
export function bridged(before: Credentials, final: Credentials, phase: Phase): Credentials {
  const fresh = final[authoritiesSecret] ?? {}
  const former = before[authoritiesSecret]?.[formerAuthority] ?? before.etcd?.['etcd-ca.crt'] ?? ''
  const secrets: Credentials = { ...before, [authoritiesSecret]: { ...fresh, [formerAuthority]: former } }
  for (const secret of between) {
    const files: Files = {
      ...(before[secret] ?? final[secret]),
      'etcd-ca.crt': `${former.trimEnd()}\n${fresh['etcd-ca.crt']}`,
    }
    for (const [file, text] of Object.entries(final[secret] ?? {})) {
      if (phase === 'issue' && isOfEtcd(secret, file)) files[file] = text
    }
    secrets[secret] = files
  }
  return secrets
}

export interface Change {
  site: Site
  /** As all is to be in the end. */
  issue(outputs: CreateOutputs, before: Credentials): Promise<Credentials>
}

/** Before the step that writes the Secrets as they are to stay; the last of these is named in its needs. */
export const changeSteps = (change: Change): Step<CreateOutputs>[] => [
  phaseStep(change, 'trust', 'new-authority', 'etcd and its clients trust the new authority and the old one', 'expose'),
  phaseStep(
    change,
    'issue',
    'new-certificates',
    'etcd and its clients have certificates of the new authority',
    'new-authority',
  ),
]

function phaseStep(
  { site, issue }: Change,
  phase: Phase,
  id: string,
  title: string,
  need: string,
): Step<CreateOutputs> {
  const written = new Set<string>([authoritiesSecret, ...between])
  const output = phase === 'trust' ? 'trusting' : 'issuing'
  return {
    id,
    title,
    needs: [need],
    gives: [output],
    secrets: [output],
    async act(outputs, tools) {
      const { api, signal } = tools
      const [before, store] = [await readSecrets(api, site, signal), await storeUser(site, tools)]
      return { ...store, [output]: bridged(before, await issue(outputs, before), phase) }
    },
    want(outputs) {
      const credentials = outputs[output] ?? {}
      const secrets = secretObjects(credentials, site).filter(({ metadata }) => written.has(metadata.name ?? ''))
      return [...secrets, ...workloads(site, checksumsOf(credentials), outputs.storeAsRoot)]
    },
    timeoutMs: 600_000,
  }
}

const workloads = (site: Site, checksums: Checksums, storeAsRoot = false): KubeObject[] => [
  ...etcd(site, checksums, storeAsRoot),
  ...apiServer(site, checksums),
  ...aggregatedApiServer(site, checksums),
]

/** Of what the pods mount. */
export const checksumsOf = (credentials: Credentials): Checksums =>
  Object.fromEntries(components.map(name => [name, checksum(credentials[name] ?? {})]))
