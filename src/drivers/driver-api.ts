/** What a driver is, and what coe gives to one. Drivers outside the tree have these types by `import type`. */
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

/** A driver's folder has this as its default export; it is called once, and asks nothing of any server. */
export type MakeDriver = (coe: DriverApi) => Driver

/** Grows; what is in it stays. */
export interface DriverApi {
  readonly world: World
  connect(access: KubeAccess | InlineAccess, options?: { title?: string; timeoutMs?: number }): ClusterApi
  /** Follows redirects; nothing of ours is sent along. */
  download(url: string): Promise<Buffer>
  /** `undefined`: no such folder is known. */
  readonly folders: { assets: string | undefined; cache: string | undefined }
  /** Told of what must never be printed. */
  addSecret(value: string): void
  /** The contexts of the person's kubeconfig, or of another file. */
  contexts(file?: string): Promise<string[]>
  /** Without a name the current one. */
  context(name: string | undefined, file?: string): Promise<KubeAccess>
  /** @internal The cloud that is configured; undefined without one. */
  cloud?: (() => Promise<CloudSession>) | undefined
  /** Expected failures: `throw coe.errors.notFound('there is no …', { hint: 'what to do next' })`. The kind is the exit code. */
  readonly errors: DriverErrors
  /**
   * Asks until the answer is something other than undefined. Each wait has a deadline or a signal, and the error of one that
   * ends in vain says what was seen last.
   */
  poll<T>(look: () => Promise<T | undefined>, options: PollOptions): Promise<T>
  /** In a dry run: is this a value that only the run itself will know? See `Unknown`. */
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
  /** For `instanceof`: what coe's own calls throw is one of these. */
  readonly CoeError: typeof CoeError
}

export interface DriverFacts {
  /** `example_v1`: also the name of its folder. */
  name: string
  /** Of the driver: `1.0.0`. */
  version: string
  /** One line. */
  title: string
  provides: readonly ('federations' | 'clusters')[]
  options: readonly DriverOption[]
  /** A few lines for `coe driver show`. */
  notes?: string
}

export interface Driver extends DriverFacts {
  federations?: FederationDriver
  clusters?: ClusterDriver
}

/** Options by name, as given or as kept in a record. */
export type Options = Readonly<Record<string, unknown>>

/** One federation, as its record says. */
export interface FederationSite {
  name: string
  uuid: string
  /** On the host. Made by whoever keeps the records, before any plan runs. */
  namespace: string
  /** With the rights of the person at work. */
  host: ClusterApi
  /** `host "c1"` */
  hostTitle: string
  /** Goes on with its creation, or mends it. */
  creation: CoeStep
  /** As `settings()` gave them, or the record has them. */
  settings: Options
  owner: Owner
  signal: AbortSignal
}

export interface AccessWish {
  /** Where it has several addresses, by one that answers now. Without it nothing is asked of the API. */
  answering?: boolean
}

/** Found before the first write. */
export interface Finding {
  id: string
  /** An error: nothing is begun. */
  level: 'error' | 'warning'
  /** Of an error: the exit code that it ends with, `failed` when absent. Errors of several outcomes end as `failed`. */
  outcome?: 'failed' | 'usage' | 'notFound' | 'denied' | 'conflict' | 'timeout'
  message: string
  hint?: string
  next?: readonly NextStep[]
}

/** What was found of a cluster that is to join, before the first write. */
export interface JoinCheck {
  findings: readonly Finding[]
  /** For `join`, which gets it back as it is: what has just been read need not be read again. The driver's own business. */
  found?: unknown
}

export interface PlanOptions {
  /** Goes on where this run stops; a hint may name it with one option more. */
  resume: CoeStep
  /** Options that no record keeps (`transient`). */
  options?: Options
  /** As in Plan.fresh. */
  newNamespaces?: ReadonlySet<string>
  /** For what the user should know, and what keeps nothing from being done. */
  note?(text: string, next?: readonly NextStep[]): void
}

export interface JoinOptions extends PlanOptions {
  /** What `preflightJoin` found, when it was asked for this request on this open federation. */
  found?: unknown
}

export interface JoinRequest extends MemberSettings {
  /** In the federation. */
  name: string
  /** The person's own access; nothing of it is handed on but address and certificates of authorities. */
  member: ClusterApi
  access: KubeAccess
  uid: string
  labels: Readonly<Record<string, string>>
  /** Kept on the member as long as it is one: made with the account, and gone with it. */
  beside?: readonly KubeObject[]
}

export interface UnjoinRequest {
  name: string
  workloads: 'keep' | 'delete'
  /** The member is gone, or does not answer: what is on it stays. */
  force: boolean
  /** Namespaces stay even where workloads go: of a host, which has things of its own in them. */
  keepNamespaces?: boolean
  /** The person's own access, if there is any: the federation's own is enough. */
  member?: ClusterApi | undefined
  /** What `member` was connected with. */
  access?: KubeAccess | undefined
  uid?: string | undefined
}

/** Names, never contents. */
export interface MemberHoldings {
  /** `Deployment shop/web`: what the federation put there. */
  workloads: string[]
  namespaces: string[]
}

/** Makes federations. What it can tell without a federation at hand is here; the rest is asked of one that is open. */
export interface FederationDriver {
  /** What a user of the federation asks kubectl first: `get clusters`. */
  firstLook?(federation: { name: string; namespace: string }): string
  /** Of which releases of the engine it knows how to make one; the first is the default. */
  readonly engineVersions: readonly string[]
  /**
   * Checks them (usage errors) and fills in what is not given. What comes out is kept, and can be given again.
   * @param before as the record of a federation that stands has them; an older version of the driver may have made it
   */
  settings(given: Options, before?: Options): Options
  /** Those that changed and cannot be changed on one that stands: reasons, by option. */
  immutable(before: Options, after: Options): Readonly<Record<string, string>>
  images(settings: Options): { component: string; image: string }[]
  /** What its actions take from a user on the host; without settings, all that any may take. Asked before the first write. */
  rights?(namespace: string, settings?: Options): FederationRights
  /** The same on a cluster that joins, by its name in the federation. */
  memberRights?(member: string): readonly Right[]
  /** Its name in the federation: the reason why it cannot be, or undefined. */
  memberNameProblem(name: string): string | undefined
  /** After an unjoin by force: what is still on the member, and what takes it away there. */
  leftBehind(member: string, context: string): { what: string; next: NextStep }[]
  /** Asks nothing yet. What it learns on the way it may keep for as long as it is open: one change, or one question. */
  open(site: FederationSite): OpenFederation
}

/** One federation, opened for one change or one question. */
export interface OpenFederation {
  /** Of the options that `immutable` named, those that can be changed after all, as it stands now: nothing has been kept there yet. */
  stillOpen?(options: readonly string[]): Promise<readonly string[]>
  /** Looks, and writes nothing. */
  preflight(options: PlanOptions): Promise<Finding[]>
  create(options: PlanOptions): Promise<Plan>
  /** The administrator's access, from the host alone. Not found while there is none yet. */
  access(how?: AccessWish): Promise<InlineAccess>
  /** Access for another user, with a certificate of their own. */
  grant(who: { user: string; groups: readonly string[]; days: number }): Promise<InlineAccess>
  preflightJoin(request: JoinRequest): Promise<JoinCheck>
  join(request: JoinRequest, options: JoinOptions): Promise<Plan>
  /** What the federation has put on a member. */
  holdings(member: string): Promise<MemberHoldings>
  unjoin(request: UnjoinRequest, options: PlanOptions): Promise<Plan>
  members(): Promise<MemberHealth[]>
  health(): Promise<FederationHealth>
  /** What was created in the federation's API and is gone: for `show`, so with as few requests as it takes. */
  missing?(): Promise<readonly ObjectHealth[]>
  /** All but namespace and record, which go last and are not the driver's. */
  remove(options: PlanOptions & { keepData: boolean }): Promise<Plan>
}
