/** The interface between coe and its drivers. External drivers import these types with `import type`. */
import type { KubeAccess } from '../config/kubeconfig/kubeconfig.ts'
import type { CoeError, ErrorOptions } from '../core/errors.ts'
import type { CoeStep, NextStep } from '../core/next-step.ts'
import type { PollOptions } from '../core/poll.ts'
import type { World } from '../core/world.ts'
import type { InlineAccess } from '../kube/access/connect.ts'
import type { ClusterApi } from '../kube/api/cluster-api.ts'
import type { KubeObject } from '../kube/api/object.ts'
import type { DriverOption } from '../model/driver-option.ts'
import type { FederationHealth, MemberHealth, ObjectHealth } from '../model/federation-health.ts'
import type { MemberSettings } from '../model/member-settings.ts'
import type { FederationRights, Right } from '../model/rights.ts'
import type { CloudSession } from '../openstack/session.ts'
import type { Owner, Plan } from '../plan/step.ts'
import type { ClusterDriver } from './cluster-driver.ts'

export type { CoeStep, KubectlStep, NextStep, StepArg } from '../core/next-step.ts'
export type { DriverOption } from '../model/driver-option.ts'
export type { Owner, Plan, PlanCluster, Step, Tools, Unknown } from '../plan/step.ts'
export type {
  ClusterCommand,
  ClusterDriver,
  ClusterIdentity,
  ClusterSite,
  OpenCertificates,
  OpenClusters,
  OpenNodeGroups,
  OpenTemplates,
} from './cluster-driver.ts'

/** The default export of a driver's folder. coe calls it once; it must not contact any server. */
export type MakeDriver = (coe: DriverApi) => Driver

/** What coe offers to drivers. Later versions add to this interface and remove nothing. */
export interface DriverApi {
  /** The environment, the platform and the clock. Use it instead of `process` and `Date`, so that tests can replace them. */
  readonly world: World
  /** Connects to a cluster. `title` names the cluster in error messages. */
  connect(access: KubeAccess | InlineAccess, options?: { title?: string; timeoutMs?: number }): ClusterApi
  /** Downloads a file without sending any credentials. Redirects are followed. */
  download(url: string): Promise<Buffer>
  /** Folders for files that the driver reads or caches; undefined if none is configured. */
  readonly folders: { assets: string | undefined; cache: string | undefined }
  /** Registers a value that coe must redact from everything it prints. */
  addSecret(value: string): void
  /** The names of the contexts in the user's kubeconfig, or in `file`. */
  contexts(file?: string): Promise<string[]>
  /** The access that a context gives; the current context if `name` is undefined. */
  context(name: string | undefined, file?: string): Promise<KubeAccess>
  /** @internal Opens a session with the configured cloud; undefined if none is configured. */
  cloud?: (() => Promise<CloudSession>) | undefined
  /** Expected failures: `throw coe.errors.notFound('there is no …', { hint: 'what to do next' })`. The kind decides the exit code. */
  readonly errors: DriverErrors
  /**
   * Calls `check` repeatedly until it returns something other than undefined. Give every wait a deadline or a signal. The error of
   * a wait that times out includes the last observed state.
   */
  poll<T>(check: () => Promise<T | undefined>, options: PollOptions): Promise<T>
  /** Whether a value is known only in a real run, not in this dry run. See `Unknown`. */
  isUnknown(value: unknown): boolean
}

export type MakeError = (message: string, options?: ErrorOptions) => CoeError

export interface DriverErrors {
  readonly failed: MakeError
  readonly usage: MakeError
  readonly notFound: MakeError
  readonly denied: MakeError
  readonly conflict: MakeError
  readonly timedOut: MakeError
  /** For `instanceof`: the class of all errors that coe's own calls throw. */
  readonly CoeError: typeof CoeError
}

export interface DriverFacts {
  /** For example `example_v1`. The driver's folder has the same name. */
  name: string
  /** The driver's own version, for example `1.0.0`. */
  version: string
  /** A one-line description. */
  title: string
  provides: readonly ('federations' | 'clusters')[]
  options: readonly DriverOption[]
  /** A few lines of text for `coe driver show`. */
  notes?: string
}

export interface Driver extends DriverFacts {
  federations?: FederationDriver
  clusters?: ClusterDriver
}

/** Options by name, from the command line or from a record. */
export type Options = Readonly<Record<string, unknown>>

/** One federation, as its record describes it. */
export interface FederationSite {
  name: string
  uuid: string
  /** The federation's namespace on the host. coe creates it before any plan runs. */
  namespace: string
  /** The host's API, with the user's rights. */
  host: ClusterApi
  /** The host's name for messages, for example `host "c1"`. */
  hostTitle: string
  /** The command that resumes the federation's creation, or repairs the federation. */
  creation: CoeStep
  /** The settings that `FederationDriver.settings` returned, or that the record holds. */
  settings: Options
  owner: Owner
  /** Aborts when the user interrupts the command or its time limit is reached. */
  signal: AbortSignal
}

export interface AccessOptions {
  /** If the API has several addresses, choose one that answers now. Otherwise no request is sent to the API. */
  answering?: boolean
}

/** A problem that was found before the first write. */
export interface Finding {
  id: string
  /** An error keeps the change from starting. */
  level: 'error' | 'warning'
  /** The exit code of an error; `failed` if absent. Errors with different outcomes together end as `failed`. */
  outcome?: 'failed' | 'usage' | 'notFound' | 'denied' | 'conflict' | 'timeout'
  message: string
  hint?: string
  next?: readonly NextStep[]
}

/** The result of checking a cluster before it joins. */
export interface JoinCheck {
  findings: readonly Finding[]
  /** Passed unchanged to `join`, so that the driver need not read the same state twice. Only the driver knows its shape. */
  found?: unknown
}

export interface PlanOptions {
  /** The command that resumes this change. Hints may add an option to it. */
  resume: CoeStep
  /** The options that records do not keep (`transient`). */
  options?: Options
  /** Namespaces that this run has created: see `Plan.newNamespaces`. */
  newNamespaces?: ReadonlySet<string>
  /** Shows the user a note that does not stop the change. */
  note?(text: string, next?: readonly NextStep[]): void
}

export interface JoinOptions extends PlanOptions {
  /** `JoinCheck.found`, if `preflightJoin` was called with this request on this open federation. */
  found?: unknown
}

export interface JoinRequest extends MemberSettings {
  /** The member's name in the federation. */
  name: string
  /** The member's API, with the user's own credentials. Only its address and CA certificates may be stored in the federation. */
  member: ClusterApi
  /** The access that `member` was connected with. */
  access: KubeAccess
  /** The UID of the member's kube-system namespace, which identifies the cluster. */
  uid: string
  labels: Readonly<Record<string, string>>
  /** Objects to create on the member together with the federation's account, and to delete with it. */
  extraObjects?: readonly KubeObject[]
}

export interface UnjoinRequest {
  name: string
  /** Whether the workloads that the federation placed on the member stay there. */
  workloads: 'keep' | 'delete'
  /** The member is gone or does not answer: leave everything that is on it. */
  force: boolean
  /** Keep namespaces even if the workloads are deleted. Set for a host, where they contain other objects, too. */
  keepNamespaces?: boolean
  /** The member's API with the user's own credentials, if known. Otherwise use the federation's credentials. */
  member?: ClusterApi | undefined
  /** The access that `member` was connected with. */
  access?: KubeAccess | undefined
  uid?: string | undefined
}

/** What a federation has placed on a member: names only, no content. */
export interface MemberHoldings {
  /** For example `Deployment shop/web`. */
  workloads: string[]
  namespaces: string[]
}

/** Makes federations. The methods here need no existing federation; `open` returns those that do. */
export interface FederationDriver {
  /** The kubectl command to suggest to a user of a new federation, for example `get clusters`. */
  firstCommand?(federation: { name: string; namespace: string }): string
  /** The releases of the engine that this driver can install; the first is the default. */
  readonly engineVersions: readonly string[]
  /**
   * Validates the options (usage errors) and adds the defaults. coe stores the result in the record and may pass it in again.
   * @param before the recorded settings of an existing federation, which may come from an older version of the driver
   */
  settings(given: Options, before?: Options): Options
  /** The options that differ and cannot be changed on an existing federation, each with the reason. */
  immutable(before: Options, after: Options): Readonly<Record<string, string>>
  /** The container images that a federation with these settings runs. */
  images(settings: Options): { component: string; image: string }[]
  /**
   * The rights that the user needs on the host. coe checks them before the first write.
   * @param settings of one federation; without them, return all rights that any federation may need
   */
  rights?(namespace: string, settings?: Options): FederationRights
  /**
   * The rights that the user needs on a cluster to join it.
   * @param member the cluster's name in the federation
   */
  memberRights?(member: string): readonly Right[]
  /** Why a cluster cannot have this name in a federation; undefined if it can. */
  memberNameProblem(name: string): string | undefined
  /** What a forced unjoin leaves on the member, each item with the command that removes or shows it. */
  leftOnMember(member: string, context: string): { what: string; next: NextStep }[]
  /** Opens one federation without sending any request. The returned object serves one command and may cache what it reads. */
  open(site: FederationSite): OpenFederation
}

/** One federation, opened for one command. */
export interface OpenFederation {
  /** The options, of those that `immutable` returned, that can still be changed in the federation's current state. */
  changeable?(options: readonly string[]): Promise<readonly string[]>
  /** Checks whether the federation can be created or changed. Must not write anything. */
  preflight(options: PlanOptions): Promise<Finding[]>
  /** The plan that creates the federation, or brings an existing one to its settings. */
  create(options: PlanOptions): Promise<Plan>
  /** The administrator's access, read from the host. Throws `notFound` if it does not exist yet. */
  access(how?: AccessOptions): Promise<InlineAccess>
  /** Issues a certificate for another user and returns access with it. */
  grant(who: { user: string; groups: readonly string[]; days: number }): Promise<InlineAccess>
  /** Checks whether a cluster can join. Must not write anything, neither on the cluster nor in the federation. */
  preflightJoin(request: JoinRequest): Promise<JoinCheck>
  join(request: JoinRequest, options: JoinOptions): Promise<Plan>
  /** What the federation has placed on a member. */
  holdings(member: string): Promise<MemberHoldings>
  unjoin(request: UnjoinRequest, options: PlanOptions): Promise<Plan>
  members(): Promise<MemberHealth[]>
  health(): Promise<FederationHealth>
  /** Objects that the driver created in the federation's API and that are gone. Called by `show`: send as few requests as possible. */
  missing?(): Promise<readonly ObjectHealth[]>
  /** The plan that deletes everything except the namespace and the record, which coe deletes afterwards. */
  remove(options: PlanOptions & { keepData: boolean }): Promise<Plan>
}
