/**
 * What commands can call, in both modes: Magnum over REST, or clusters that coe reaches directly.
 * A noun that one mode lacks is absent, and the command names the mode that has it.
 */
import type { StepArg } from '../core/next-step.ts'
import type { Certificates, Credentials, Quotas, Service, Stats } from './administration.ts'
import type { Call } from './call.ts'
import type { Cluster, ClusterTemplate, NodeGroup } from './cluster.ts'
import type { AccessRequest, ClusterAccess } from './cluster-access.ts'
import type { ClusterChange, ClusterRequest, ClusterResize, ClusterUpgrade } from './cluster-request.ts'
import type { ContextCheck } from './context-check.ts'
import type { Federation } from './federation.ts'
import type { FederationGoal } from './federation-goal.ts'
import type { FederationHealth } from './federation-health.ts'
import type { MemberRequest } from './member-request.ts'
import type { NodeGroupChange, NodeGroupRequest } from './nodegroup-request.ts'
import type { FederationNote, MemberNote } from './notes.ts'
import type { Operation, Page } from './operation.ts'
import type { PlannedChange } from './planned-change.ts'
import type { ResumedChange, ResumeOptions } from './resume.ts'
import type { TemplateChange, TemplateRequest } from './template-request.ts'

export type Mode = 'magnum' | 'standalone'

export interface ClusterQuery extends Page {
  /** Only clusters of this project, by name or id. */
  project?: string
  /** Return all fields of each cluster; the answer is larger. */
  detail?: boolean
  /** Query each cluster itself. One that does not answer gets a row that says so. */
  probe?: boolean
  /** Time limit for the answer of each cluster. */
  timeoutMs?: number | undefined
}

export interface Clusters {
  /** Columns of a table, where the backend does not know most fields. */
  readonly tables?: { list: readonly string[]; probed: readonly string[] }
  list(call: Call, query: ClusterQuery): Promise<Cluster[]>
  get(call: Call, ref: string, how?: { probe?: boolean; timeoutMs?: number | undefined }): Promise<Cluster>
  /** Refuses a name that is taken, unless `duplicate` says otherwise. Resolves with the uuid, or after a wait with all fields. */
  create(
    call: Call,
    request: ClusterRequest,
    options: { duplicate: 'refuse' | 'allow' | 'reuse' } & DriverOptions,
    op: Operation,
  ): Promise<CreateOutcome<Cluster>>
  update(call: Call, ref: string, change: ClusterChange, op: Operation): Promise<ClusterOutcome>
  resize(call: Call, ref: string, size: ClusterResize, op: Operation): Promise<ClusterOutcome>
  upgrade(call: Call, ref: string, target: ClusterUpgrade, op: Operation): Promise<ClusterOutcome>
  /** Announces deletions in this order, so that the checks before them can run in parallel. */
  willDelete?(call: Call, refs: readonly string[]): void
  /** Resolves with the cluster as it was before the deletion. */
  delete(call: Call, ref: string, options: ClusterDeletion, op: Operation): Promise<Cluster>
  /** Waits for the goal; fails when the cluster ends in a failed state. Undefined: the cluster is gone. */
  waitFor(call: Call, ref: string, goal: ClusterGoal, op: Operation): Promise<Cluster | undefined>
  /** All that a kubeconfig needs, including a new certificate if the request has one. */
  access(call: Call, ref: string, request: AccessRequest): Promise<ClusterAccess>
}

export interface ClusterDeletion {
  /** Do not check whether a federation needs the cluster. */
  force?: boolean
  /**
   * Called when coe cannot tell whether a federation needs the cluster, with the reasons. Reject to keep the cluster, resolve to
   * delete it. Absent: the reasons are noted, and the cluster is deleted.
   */
  unsure?: (cluster: Cluster, why: readonly string[]) => Promise<void>
}

export interface ClusterOutcome {
  /** The cluster before the change, or after a wait the cluster that the change led to. */
  cluster: Cluster
  /** False: the cluster had the requested state already, and nothing was sent. */
  changed: boolean
}

export type ClusterGoal =
  | { kind: 'complete' }
  | { kind: 'healthy' }
  | { kind: 'gone' }
  | { kind: 'status'; status: string[] }

/** `created: false`: an object of this name existed already. */
export interface CreateOutcome<T> {
  object: Partial<T> & { uuid: string }
  created: boolean
}

export interface Templates {
  list(call: Call, query: Page & { detail?: boolean }): Promise<ClusterTemplate[]>
  get(call: Call, ref: string): Promise<ClusterTemplate>
  create(
    call: Call,
    request: TemplateRequest,
    options: { duplicate: 'refuse' | 'allow' | 'reuse' },
  ): Promise<CreateOutcome<ClusterTemplate>>
  update(call: Call, ref: string, change: TemplateChange): Promise<ClusterTemplate>
  delete(call: Call, ref: string): Promise<void>
}

export interface NodeGroups {
  list(call: Call, cluster: string, query: Page & { role?: string }): Promise<NodeGroup[]>
  get(call: Call, cluster: string, ref: string): Promise<NodeGroup>
  /** With `reuse`, an existing group of this name is taken as it is. Resolves with what is known at once, or after a wait with all fields. */
  create(
    call: Call,
    cluster: string,
    request: NodeGroupRequest,
    options: { duplicate: 'refuse' | 'reuse' },
    op: Operation,
  ): Promise<CreateOutcome<NodeGroup>>
  update(call: Call, cluster: string, ref: string, change: NodeGroupChange, op: Operation): Promise<NodeGroup>
  delete(call: Call, cluster: string, ref: string, op: Operation): Promise<void>
}

export interface FederationQuery extends Page {
  detail?: boolean
  /** Search the clusters of all contexts, not only the known hosts of federations. */
  allContexts?: boolean
  /** Called when one of `places` clusters could not be queried: the list may be incomplete. Absent: the first such error ends the call. */
  onUnreachable?(error: Error, places: number): void
}

/** Where to look for a federation, when the user names a place. */
export interface FederationPlace {
  host?: string | undefined
  namespace?: string | undefined
  /** Time limit for the answer of each cluster during the search. */
  timeoutMs?: number | undefined
}

export interface Federations {
  /** Columns of a table that this backend fills, and that fit into 80 characters. */
  readonly tableColumns: readonly string[]
  /** A service finishes accepted requests by itself, so callers need not wait. Absent: work stops when the call ends. */
  readonly inBackground?: boolean
  /** Every federation needs a DNS zone; without `--dns-zone` a new one gets the zone of the settings. */
  readonly needsZone?: boolean
  list(call: Call, query: FederationQuery): Promise<Federation[]>
  get(call: Call, ref: string, how?: { address?: boolean }): Promise<Federation>
  create(call: Call, request: FederationRequest, op: Operation): Promise<FederationOutcome>
  update(call: Call, ref: string, change: PropertyChange, op: Operation): Promise<FederationOutcome>
  delete(call: Call, ref: string, op: Operation, how?: FederationDeletion): Promise<FederationOutcome>
  /** Waits for the goal; fails when the federation cannot reach it by itself. Undefined: the federation is gone. */
  waitFor(call: Call, ref: string, goal: FederationGoal, op: Operation): Promise<Federation | undefined>
  /** Resolves with one outcome for each cluster, in order. A failed cluster does not stop the others. */
  join(
    call: Call,
    ref: string,
    members: readonly MemberRequest[],
    op: Operation,
    how?: JoinOptions,
  ): Promise<MemberOutcome[]>
  unjoin(call: Call, ref: string, clusters: string[], op: Operation, how?: UnjoinOptions): Promise<MemberOutcome[]>
  /** What the federation has put on these members: names to show before a deletion. */
  holdings?(call: Call, ref: string, clusters: readonly string[]): Promise<MemberHoldings[]>
  /** Finishes all unfinished changes, by any user. Resolves with an empty list if there are none. */
  resume?(call: Call, ref: string, how: ResumeOptions, op: Operation): Promise<ResumedChange[]>
  /** Federations in this place only. Absent: the backend keeps federations in one place. */
  at?(place: FederationPlace): Federations
  /** Checks the running parts; the record alone does not tell their health. */
  health?(call: Call, ref: string): Promise<{ federation: Federation; health: FederationHealth }>
  /** Access to its API: as its administrator, or as another user with a certificate of their own. */
  access?(call: Call, ref: string, who?: FederationUser): Promise<FederationAccess>
  /** Writes its context to the kubeconfig. Resolves with the context, and with a first kubectl command to try. */
  enter?(
    call: Call,
    ref: string,
    how: { who?: FederationUser | undefined; contextName?: string | undefined },
  ): Promise<{ context: string; look: string }>
  /** Images that a new federation runs on its host. */
  images?(call: Call, options: DriverChoice): Promise<{ component: string; image: string }[]>
}

export interface FederationUser {
  user: string
  groups: readonly string[]
  days: number
}

export interface FederationAccess {
  /** The name that users see: `magnum:prod`, or that of a federation. */
  name: string
  server: string
  ca?: string | undefined
  cert?: string | undefined
  key?: string | undefined
  token?: string | undefined
}

/** An engine, and the values of its options by name. */
export interface DriverChoice {
  driver?: string | undefined
  options: Readonly<Record<string, unknown>>
  /** The error for an option that was read from a file, with its place there; undefined for other options. */
  wrong?(option: string, reason: string, known?: readonly string[]): Error | undefined
}

/** Options of the driver that made the federation, by their names. */
export interface DriverOptions {
  driverOptions?: Readonly<Record<string, unknown>>
}

export interface FederationDeletion extends DriverOptions {
  /** Unjoin the members first; without this, members are a reason to refuse. */
  unjoin?: boolean
  /** Keep the data of its engine on the host. */
  keepData?: boolean
}

export interface JoinOptions extends DriverOptions {
  /** The host itself may be a member. */
  allowHost?: boolean
  concurrency?: number | undefined
  /** Arguments after the federation's name in the step that resumes this call; its clusters when absent. */
  resumeArgs?: readonly StepArg[] | undefined
}

export interface MemberHoldings {
  /** The member's name in the federation. */
  member: string
  /** `Deployment shop/web` */
  workloads: string[]
  namespaces: string[]
}

export interface UnjoinOptions extends DriverOptions {
  workloads?: 'keep' | 'delete' | undefined
  /** The member cannot be reached: leave what is on it. */
  force?: boolean
  /** Present contexts of members, by their names in the federation. */
  contexts?: Readonly<Record<string, string>> | undefined
  /** The member's current context, for one member whose context was renamed. */
  clusterContext?: string | undefined
}

export interface FederationRequest {
  name: string
  host: string
  properties: Record<string, string>
  /** Properties for a new federation only; an existing one may have other values. */
  defaults: Record<string, string>
  engine?: DriverChoice
  /** Name of the context in the kubeconfig; the federation's name when absent. */
  contextName?: string | undefined
  /** File to write the context to, in place of the user's kubeconfig. */
  kubeconfigOut?: string | undefined
  /** Take over existing objects that have no owner. */
  adopt?: boolean
  /** Clusters to join afterwards. An unknown cluster or an impossible name is refused before anything is made. */
  joining?: readonly MemberRequest[]
  /** Arguments that the record does not keep, for the step that resumes this call. */
  resumeArgs?: readonly StepArg[] | undefined
}

export interface PropertyChange {
  set: Record<string, string>
  unset: string[]
  rollback?: boolean
}

export interface FederationOutcome {
  /** `unchanged`: there was nothing to do. `planned`: a dry run. `accepted`, `deleting`: started, and not followed to the end. */
  result: 'created' | 'accepted' | 'updated' | 'deleting' | 'deleted' | 'unchanged' | 'planned'
  /** Its present state, or the last one before its deletion; without a uuid while it does not exist. */
  federation: Partial<Federation>
  planned?: PlannedChange[]
  /** It is incomplete, and members cannot join yet. */
  unfinished?: boolean
  /** What the user should know besides the result. */
  notes?: FederationNote[]
}

/** What became of one cluster of several: joined, left, unchanged, or the error that stopped it. */
export interface MemberOutcome {
  cluster: string
  result: 'joined' | 'unjoined' | 'unchanged' | 'planned' | 'failed'
  error?: Error
  planned?: PlannedChange[]
  /** What the user should know besides the result. */
  notes?: MemberNote[]
}

export interface Backend {
  readonly mode: Mode
  /** Completes "not found in …": `cloud "prod", project demo`. */
  readonly where: string
  readonly clusters: Clusters
  readonly templates?: Templates
  readonly nodegroups?: NodeGroups
  readonly certificates?: Certificates
  readonly credentials?: Credentials
  readonly federations?: Federations
  readonly quotas?: Quotas
  readonly stats?: { get(call: Call, project: string | undefined): Promise<Stats> }
  readonly services?: { list(call: Call): Promise<Service[]> }
  /** The contexts that clusters are reached through, for `doctor`. */
  readonly contexts?: { checks(call: Call, timeoutMs?: number): Promise<ContextCheck[]> }
}
