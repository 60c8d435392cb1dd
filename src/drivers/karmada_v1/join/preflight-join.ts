/** Checks a cluster before it joins, and before anything is written on it or in the federation. */
import { awaitAll } from '../../../core/concurrency.ts'
import { kubectlStep, standaloneStep } from '../../../core/next-step.ts'
import type { ClusterApi } from '../../../kube/api/cluster-api.ts'
import type { KubeObject, ObjectRef } from '../../../kube/api/object.ts'
import { isOurs } from '../../../kube/ownership/ownership.ts'
import type { MemberHealth, ObjectHealth } from '../../../model/federation-health.ts'
import type { Owner, Plan } from '../../../plan/step.ts'
import type { Finding, JoinCheck, JoinRequest } from '../../driver-api.ts'
import { unjoinByForce } from '../leave/silent.ts'
import { clusterNamespace } from '../names.ts'
import { clusterKind, clusterRef } from '../templates/membership.ts'
import { memberNameProblem } from './members.ts'

export interface Joining {
  request: JoinRequest
  members: readonly MemberHealth[]
  federation: string
  /** The UID that identifies the federation's own API, as a cluster's UID does. */
  ownUid(): Promise<string>
  /** Objects that the federation's API has lost. Without them a member could be registered, but would never work. */
  lost: readonly ObjectHealth[]
  owner: Owner
  signal: AbortSignal
}

/** What the plan of the join need not read again. */
export interface JoinFacts {
  /** The federation has a member of this name. */
  known: boolean
  /** Only absent objects: an existing one may change before the plan runs. */
  observed: NonNullable<Plan['observed']>
}

export async function preflightJoin(joining: Joining): Promise<JoinCheck & { found: JoinFacts }> {
  const { request, members, signal } = joining
  const known = members.some(member => member.name === request.name)
  const federation = known ? [] : [{ ref: clusterRef(request.name), live: undefined }]
  const lost = joining.lost.map(({ name, reason, next = [] }) => error('lost-data', `${name}: ${reason}`, { next }))
  const first = [...lost, ...nameAndUid(joining), ...address(request)]
  if (first.some(finding => finding.level === 'error'))
    return { findings: first, found: { known, observed: { federation } } }
  const [owner, old] = await awaitAll([otherOwner(joining, known), age(request.member, signal)])
  const member = owner.absent.map(ref => ({ ref, live: undefined }))
  return { findings: [...first, ...owner.findings, ...old], found: { known, observed: { federation, member } } }
}

const error = (id: string, message: string, advice: string | Pick<Finding, 'hint' | 'next'> = {}): Finding => ({
  id,
  level: 'error',
  message,
  ...(typeof advice === 'string' ? { hint: advice } : advice),
})

const unjoin = (why: string, federation: string, member: string) =>
  standaloneStep(why, 'federation unjoin', federation, member)

const conflict = (...said: Parameters<typeof error>): Finding => ({ ...error(...said), outcome: 'conflict' })

function nameAndUid({ request, members, federation }: Joining): Finding[] {
  const problem = memberNameProblem(request.name)
  if (problem) {
    const message = `"${request.name}" cannot be a member's name: ${problem}`
    return [{ ...error('name', message, 'use another name with --cluster-name'), outcome: 'usage' }]
  }
  const twin = members.find(member => member.cluster_uid === request.uid && member.name !== request.name)
  if (twin) {
    return [
      conflict('uid', `this cluster is already a member of "${federation}", as "${twin.name}"`, {
        next: [unjoin('remove it', federation, twin.name)],
      }),
    ]
  }
  const namesake = members.find(member => member.name === request.name && member.cluster_uid !== request.uid)
  if (namesake) return [otherOfName(request, federation, namesake.server)]
  const leaving = members.find(member => member.name === request.name && member.leaving)
  if (leaving) {
    return [
      conflict('leaving', `"${request.name}" is being removed from "${federation}"`, {
        next: [unjoin('finish that first', federation, request.name)],
      }),
    ]
  }
  return []
}

/** If the address is the same but the cluster is not, the member was replaced by a new cluster. */
function otherOfName({ name, server, access }: JoinRequest, federation: string, before: string | null): Finding {
  if (before !== null && before === (server ?? access.server)) {
    const message = `the cluster at ${before} was recreated: it is not the one that joined "${federation}" as "${name}"`
    return conflict('name', message, {
      next: [unjoinByForce('remove the old one, then join again', federation, name)],
    })
  }
  const recreated = 'if the cluster was recreated under its old name, remove the old one, then join again'
  return conflict('name', `another cluster is a member of "${federation}" under the name "${name}"`, {
    hint: 'to join both, give this one another name with --cluster-name',
    next: [unjoinByForce(recreated, federation, name)],
  })
}

/** The loopback addresses that kind, minikube and tunnels write. Any other loopback address is probably intended. */
const loopback = /^(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\])$/

function address({ server, access }: JoinRequest): Finding[] {
  const stated = server ?? access.server
  let url: URL
  try {
    url = new URL(stated)
  } catch {
    return [
      error(
        'address',
        `"${stated}" is not the address of an API server`,
        'for example --cluster-server https://10.0.0.2:6443',
      ),
    ]
  }
  if (url.protocol !== 'https:')
    return [
      error(
        'address',
        `${stated} is not https, but keys are sent there`,
        'set an https:// address with --cluster-server',
      ),
    ]
  // an address that the user sets with --cluster-server is taken as intended
  if (server === undefined && loopback.test(url.hostname)) {
    return [
      error(
        'address',
        `${stated} is an address of this machine, which the federation cannot reach`,
        "set the address that the host's pods can reach with --cluster-server",
      ),
    ]
  }
  if (access.tlsServerName && !access.insecure) {
    return [
      {
        id: 'tls-server-name',
        level: 'warning',
        message: `the kubeconfig checks the certificate for "${access.tlsServerName}"; the federation checks it for ${url.hostname}`,
        hint: 'if the certificate is not valid for that name, use --cluster-server with a name for which it is',
      },
    ]
  }
  return []
}

/** Karmada fixes the names of its objects on members, so two federations on one member would delete each other's. */
async function otherOwner(joining: Joining, known: boolean): Promise<{ findings: Finding[]; absent: ObjectRef[] }> {
  const { request, owner, signal } = joining
  const ref = { apiVersion: 'v1', kind: 'Namespace', name: clusterNamespace }
  const live = await request.member.get(ref, { signal })
  if (!live) return { findings: [], absent: [ref] }
  const findings = isOurs(live, owner) ? (known ? [] : await itself(joining)) : await notOurs(live, joining)
  return { findings, absent: [] }
}

async function notOurs(live: KubeObject, { request, signal }: Joining): Promise<Finding[]> {
  if (await request.member.serves(clusterKind, { signal })) {
    return [error('federation-api', `"${request.name}" is the API of another federation, not a cluster`, clusterHint)]
  }
  const other = live.metadata.labels?.['coe/federation']
  return [
    conflict(
      'other-federation',
      other
        ? `${request.member.name} is already a member of federation "${other}"`
        : `${request.member.name} has a namespace ${clusterNamespace} that coe did not create: it is or was a member of another Karmada`,
      other
        ? {
            hint: 'a cluster can be in one federation at a time',
            next: [unjoin('remove it', other, request.member.name)],
          }
        : {
            hint: 'remove it with karmadactl unjoin',
            next: [kubectlStep('if nothing uses the namespace any more', 'delete namespace', [clusterNamespace])],
          },
    ),
  ]
}

/** The federation's API has that namespace, too, and its context is easily mistaken for a cluster's. */
async function itself({ request, federation, ownUid }: Joining): Promise<Finding[]> {
  if ((await ownUid()) !== request.uid) return []
  return [error('itself', `this is the API of federation "${federation}" itself`, clusterHint)]
}

const clusterHint = {
  hint: 'use the context of a cluster',
  next: [standaloneStep('list them', 'cluster list')],
}

const oldestMinor = 21

async function age(member: ClusterApi, signal: AbortSignal): Promise<Finding[]> {
  const { minor, gitVersion } = await member.version({ signal })
  if (Number.parseInt(minor, 10) >= oldestMinor) return []
  return [
    {
      id: 'version',
      level: 'warning',
      message: `${member.name} runs Kubernetes ${gitVersion}, which is older than the releases Karmada is tested with`,
    },
  ]
}
