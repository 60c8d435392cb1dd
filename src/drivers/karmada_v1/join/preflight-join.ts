/** What can be known of a cluster that is to be a member, before anything is written on either side. */
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
  /** Which cluster the federation's own API looks like. */
  ownUid(): Promise<string>
  /** What its API has lost: a member could be registered there, and nothing would come of it. */
  lost: readonly ObjectHealth[]
  owner: Owner
  signal: AbortSignal
}

/** What the plan of the join need not read again. */
export interface JoinFacts {
  /** The federation has, or had, a member of this name. */
  known: boolean
  /** Only that something is not there stays true until somebody makes it. */
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
    return [{ ...error('name', message, 'name it otherwise with --cluster-name'), outcome: 'usage' }]
  }
  const twin = members.find(member => member.cluster_uid === request.uid && member.name !== request.name)
  if (twin) {
    return [
      conflict('uid', `this cluster is a member of "${federation}" already, as "${twin.name}"`, {
        next: [unjoin('take it out', federation, twin.name)],
      }),
    ]
  }
  const namesake = members.find(member => member.name === request.name && member.cluster_uid !== request.uid)
  if (namesake) return [otherOfName(request, federation, namesake.server)]
  const leaving = members.find(member => member.name === request.name && member.leaving)
  if (leaving) {
    return [
      conflict('leaving', `"${request.name}" is on its way out of "${federation}"`, {
        next: [unjoin('finish that first', federation, request.name)],
      }),
    ]
  }
  return []
}

/** One address leads to one cluster: another one there has taken the place of the member. */
function otherOfName({ name, server, access }: JoinRequest, federation: string, before: string | null): Finding {
  if (before !== null && before === (server ?? access.server)) {
    const message = `the cluster at ${before} was made anew: it is not the one that is a member of "${federation}" as "${name}"`
    return conflict('name', message, {
      next: [unjoinByForce('take the old one out, then join again', federation, name)],
    })
  }
  const anew = 'if it was made anew under its old name, take the old one out, then join again'
  return conflict('name', `another cluster is a member of "${federation}" under the name "${name}"`, {
    hint: 'if both are to be members, name this one otherwise with --cluster-name',
    next: [unjoinByForce(anew, federation, name)],
  })
}

/** What kind, minikube and tunnels write. Other addresses of loopback are nobody's habit, and may well be meant. */
const loopback = /^(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\])$/

function address({ server, access }: JoinRequest): Finding[] {
  const told = server ?? access.server
  let url: URL
  try {
    url = new URL(told)
  } catch {
    return [
      error(
        'address',
        `"${told}" is not the address of an API server`,
        'for example --cluster-server https://10.0.0.2:6443',
      ),
    ]
  }
  if (url.protocol !== 'https:')
    return [
      error('address', `${told} is not https, and keys are sent there`, 'name it as https:// with --cluster-server'),
    ]
  // who names such an address himself knows what it leads to
  if (server === undefined && loopback.test(url.hostname)) {
    return [
      error(
        'address',
        `${told} is an address of this machine, and the federation could not reach it`,
        "name the one that the host's pods can reach with --cluster-server",
      ),
    ]
  }
  if (access.tlsServerName && !access.insecure) {
    return [
      {
        id: 'tls-server-name',
        level: 'warning',
        message: `the kubeconfig checks the certificate for "${access.tlsServerName}"; the federation checks it for ${url.hostname}`,
        hint: 'if the certificate does not name that, --cluster-server with a name that it has will do',
      },
    ]
  }
  return []
}

/** Names there are the engine's, so two federations on one member would take each other's things away. */
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
        ? `${request.member.name} is a member of federation "${other}" already`
        : `${request.member.name} has a namespace ${clusterNamespace} that coe did not make: it is a member of another Karmada, or was`,
      other
        ? { hint: 'a cluster can be in one at a time', next: [unjoin('take it out', other, request.member.name)] }
        : {
            hint: 'karmadactl unjoin takes it out',
            next: [kubectlStep('if nothing uses it any more, this does', 'delete namespace', [clusterNamespace])],
          },
    ),
  ]
}

/** The federation's API has that namespace too: a context that leads to it is easily taken for a cluster's. */
async function itself({ request, federation, ownUid }: Joining): Promise<Finding[]> {
  if ((await ownUid()) !== request.uid) return []
  return [error('itself', `that is the API of federation "${federation}" itself`, clusterHint)]
}

const clusterHint = {
  hint: 'name the context of a cluster',
  next: [standaloneStep('see which there are', 'cluster list')],
}

const oldestMinor = 21

async function age(member: ClusterApi, signal: AbortSignal): Promise<Finding[]> {
  const { minor, gitVersion } = await member.version({ signal })
  if (Number.parseInt(minor, 10) >= oldestMinor) return []
  return [
    {
      id: 'version',
      level: 'warning',
      message: `${member.name} runs Kubernetes ${gitVersion}, older than what Karmada is tried with`,
    },
  ]
}
