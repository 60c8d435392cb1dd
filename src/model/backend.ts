/**
 * What a command may ask for, whatever answers: Magnum over REST, or clusters that we can reach ourselves.
 * A noun that a mode does not have is absent, and the command says which mode has it.
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
  /** Of this project alone, by name or id. */
  project?: string
  /** All fields of each, at the cost of a heavier answer. */
  detail?: boolean
  /** Each cluster itself is asked how it is; one that does not answer is a row that says so. */
  probe?: boolean
  /** How long each may take to answer. */
  timeoutMs?: number | undefined
}

export interface Clusters {
  /** Where most fields are not known: those that are worth a table. */
  readonly tables?: { list: readonly string[]; probed: readonly string[] }
  list(call: Call, query: ClusterQuery): Promise<Cluster[]>
  get(call: Call, ref: string, how?: { probe?: boolean; timeoutMs?: number | undefined }): Promise<Cluster>
  /** Refuses a name that is taken unless told otherwise. Resolves with what is known: the uuid, or all after a wait. */
  create(
    call: Call,
    request: ClusterRequest,
    options: { duplicate: 'refuse' | 'allow' | 'reuse' } & DriverOptions,
    op: Operation,
  ): Promise<CreateOutcome<Cluster>>
  update(call: Call, ref: string, change: ClusterChange, op: Operation): Promise<ClusterOutcome>
  resize(call: Call, ref: string, size: ClusterResize, op: Operation): Promise<ClusterOutcome>
  upgrade(call: Call, ref: string, target: ClusterUpgrade, op: Operation): Promise<ClusterOutcome>
  /** These are about to be deleted, in this order: what has to be looked at first may be begun side by side. */
  willDelete?(call: Call, refs: readonly string[]): void
  /** Resolves with the cluster as it was before. */
  delete(call: Call, ref: string, options: ClusterDeletion, op: Operation): Promise<Cluster>
  /** Looks until the cluster is as wanted; fails when it ends in a failed state. Undefined: it is gone. */
  waitFor(call: Call, ref: string, goal: ClusterGoal, op: Operation): Promise<Cluster | undefined>
  /** All that a kubeconfig for it needs; a new certificate is signed where one is asked for. */
  access(call: Call, ref: string, request: AccessRequest): Promise<ClusterAccess>
}

export interface ClusterDeletion {
  /** Without a look at whether a federation needs it. */
  force?: boolean
  /**
   * Whether a federation needs it is not known, for these reasons: rejects to keep the cluster, resolves to delete it. Absent: they
   * are noted, and it is deleted.
   */
  unsure?: (cluster: Cluster, why: readonly string[]) => Promise<void>
}

export interface ClusterOutcome {
  /** As it was found; as it became, after a wait. */
  cluster: Cluster
  /** False: it was so already, and nothing was sent. */
  changed: boolean
}

export type ClusterGoal =
  | { kind: 'complete' }
  | { kind: 'healthy' }
  | { kind: 'gone' }
  | { kind: 'status'; status: string[] }

/** `created: false`: it was there already, as asked for. */
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
  /** Refuses a name that the cluster has already, or takes that group as it is. Resolves with what is known at once, or all after a wait. */
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
  /** Wherever a context leads, and not only where federations are known to be. */
  allContexts?: boolean
  /** One of so many places could not be asked: the list may be short of what is there. Absent: the first such ends it. */
  onUnreachable?(error: Error, places: number): void
}

/** Where a federation is looked for, when it is said. */
export interface FederationPlace {
  host?: string | undefined
  namespace?: string | undefined
  /** How long each cluster may take to answer while it is looked for. */
  timeoutMs?: number | undefined
}

export interface Federations {
  /** Columns of a list that tell something here, and fit into a line of 80 characters. */
  readonly tableColumns: readonly string[]
  /** A service does the work once it took a request, so that nobody has to wait. Absent: what is not done when a call ends stays undone. */
  readonly inBackground?: boolean
  /** Every federation has a DNS zone: where the user names none, a new one gets that of the settings. */
  readonly needsZone?: boolean
  list(call: Call, query: FederationQuery): Promise<Federation[]>
  get(call: Call, ref: string, how?: { address?: boolean }): Promise<Federation>
  create(call: Call, request: FederationRequest, op: Operation): Promise<FederationOutcome>
  update(call: Call, ref: string, change: PropertyChange, op: Operation): Promise<FederationOutcome>
  delete(call: Call, ref: string, op: Operation, how?: FederationDeletion): Promise<FederationOutcome>
  /** Looks until the federation is as wanted; fails when it cannot become so by itself. Undefined: it is gone. */
  waitFor(call: Call, ref: string, goal: FederationGoal, op: Operation): Promise<Federation | undefined>
  /** One outcome for each cluster, in their order; one that fails keeps no other from its turn. */
  join(
    call: Call,
    ref: string,
    members: readonly MemberRequest[],
    op: Operation,
    how?: JoinOptions,
  ): Promise<MemberOutcome[]>
  unjoin(call: Call, ref: string, clusters: string[], op: Operation, how?: UnjoinOptions): Promise<MemberOutcome[]>
  /** What the federation has put on these members: names, for a person to see before it goes. */
  holdings?(call: Call, ref: string, clusters: readonly string[]): Promise<MemberHoldings[]>
  /** Finishes whatever was asked for and is not done, whoever asked for it. Nothing: nothing was left to do. */
  resume?(call: Call, ref: string, how: ResumeOptions, op: Operation): Promise<ResumedChange[]>
  /** Looked for in this place alone. Where it is absent, a federation has but one place to be. */
  at?(place: FederationPlace): Federations
  /** A live look at its parts; a record alone cannot tell. */
  health?(call: Call, ref: string): Promise<{ federation: Federation; health: FederationHealth }>
  /** A kubeconfig for it: of its administrator, or of somebody with a certificate of their own. */
  access?(call: Call, ref: string, who?: FederationUser): Promise<FederationAccess>
  /** Puts it into the kubeconfig. Resolves with the context, and with what its user may ask kubectl first. */
  enter?(
    call: Call,
    ref: string,
    how: { who?: FederationUser | undefined; contextName?: string | undefined },
  ): Promise<{ context: string; look: string }>
  /** What its hosts will be asked to run. */
  images?(call: Call, options: DriverChoice): Promise<{ component: string; image: string }[]>
}

export interface FederationUser {
  user: string
  groups: readonly string[]
  days: number
}

export interface FederationAccess {
  /** `magnum:prod`, a federation's name: what people call it. */
  name: string
  server: string
  ca?: string | undefined
  cert?: string | undefined
  key?: string | undefined
  token?: string | undefined
}

/** An engine, and what was said of it, by the names of its options. */
export interface DriverChoice {
  driver?: string | undefined
  options: Readonly<Record<string, unknown>>
  /** The error for an option that was written in a file, with its place there; undefined where it was not. */
  wrong?(option: string, reason: string, known?: readonly string[]): Error | undefined
}

/** Options of the driver that made the federation, by their names. */
export interface DriverOptions {
  driverOptions?: Readonly<Record<string, unknown>>
}

export interface FederationDeletion extends DriverOptions {
  /** Members leave first; otherwise they are a reason not to delete. */
  unjoin?: boolean
  /** What its engine has stored stays on the host. */
  keepData?: boolean
}

export interface JoinOptions extends DriverOptions {
  /** The host itself may be a member. */
  allowHost?: boolean
  concurrency?: number | undefined
  /** What follows the federation's name in the step that goes on where this call stops; its clusters when absent. */
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
  /** The member is gone: what is on it stays. */
  force?: boolean
  /** What members are called here now, by their names in the federation. */
  contexts?: Readonly<Record<string, string>> | undefined
  /** What the member is called here now, for one member: contexts are renamed. */
  clusterContext?: string | undefined
}

export interface FederationRequest {
  name: string
  host: string
  properties: Record<string, string>
  /** Properties that a new federation gets where the user named none: one that exists may have others. */
  defaults: Record<string, string>
  engine?: DriverChoice
  /** Name of the context that is written to the kubeconfig; the federation's own when absent. */
  contextName?: string | undefined
  /** The file that gets the way in, in place of the kubeconfig that people have. */
  kubeconfigOut?: string | undefined
  /** Takes over what stands there already and is nobody's. */
  adopt?: boolean
  /** Clusters that are to join afterwards: one that nobody knows, or a name that cannot be, ends it before anything is made. */
  joining?: readonly MemberRequest[]
  /** What no record keeps, for the step that goes on where this call stops. */
  resumeArgs?: readonly StepArg[] | undefined
}

export interface PropertyChange {
  set: Record<string, string>
  unset: string[]
  rollback?: boolean
}

export interface FederationOutcome {
  /** `unchanged`: it was so already. `planned`: a dry run. `accepted`, `deleting`: begun, and not looked at further. */
  result: 'created' | 'accepted' | 'updated' | 'deleting' | 'deleted' | 'unchanged' | 'planned'
  /** As it is now, or was when it was deleted; without a uuid where it is not there yet. */
  federation: Partial<Federation>
  planned?: PlannedChange[]
  /** It is there in part, and takes no members yet. */
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
  /** Of what clusters are reached by, for `doctor`. */
  readonly contexts?: { checks(call: Call, timeoutMs?: number): Promise<ContextCheck[]> }
}
