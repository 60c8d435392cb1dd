/**
 * The interface of drivers, and what coe provides to them. "coe driver init" copies this file into a new driver; it contains only types.
 * Later versions of coe add to these interfaces, but remove nothing. Generated from coe's sources by "npm run docs".
 */

/** The default export of a driver's folder. coe calls it once; it must not contact any server. */
export type MakeDriver = (coe: DriverApi) => Driver

/** What coe offers to drivers. Later versions add to this interface and remove nothing. */
export interface DriverApi {
  /** The environment, the platform and the clock. Use it instead of `process` and `Date`, so that tests can replace them. */
  readonly world: World
  /** Connects to a cluster. `title` names the cluster in error messages. */
  connect(
    access: KubeAccess | InlineAccess,
    options?: {
      title?: string
      timeoutMs?: number
    },
  ): ClusterApi
  /** Downloads a file without sending any credentials. Redirects are followed. */
  download(url: string): Promise<Buffer>
  /** Folders for files that the driver reads or caches; undefined if none is configured. */
  readonly folders: {
    assets: string | undefined
    cache: string | undefined
  }
  /** Registers a value that coe must redact from everything it prints. */
  addSecret(value: string): void
  /** The names of the contexts in the user's kubeconfig, or in `file`. */
  contexts(file?: string): Promise<string[]>
  /** The access that a context gives; the current context if `name` is undefined. */
  context(name: string | undefined, file?: string): Promise<KubeAccess>
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
  images(settings: Options): {
    component: string
    image: string
  }[]
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
  leftOnMember(
    member: string,
    context: string,
  ): {
    what: string
    next: NextStep
  }[]
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
  remove(
    options: PlanOptions & {
      keepData: boolean
    },
  ): Promise<Plan>
}

export interface CoeStep extends CommandLine {
  readonly program?: undefined
  /** Set if the command works only in one mode. */
  readonly mode?: 'standalone'
}

/** For tasks without a coe command. */
export interface KubectlStep extends CommandLine {
  readonly program: 'kubectl'
  readonly kubeconfig?: string | undefined
  readonly context?: string | undefined
}

export type NextStep = CoeStep | KubectlStep

/** An argument, or an option with its value; without a value it is a flag. */
export type StepArg = string | CommandOption

export interface DriverOption {
  /** Without the dashes: `storage-class`. */
  name: string
  type: 'text' | 'flag' | 'choice' | 'number'
  choices?: readonly string[]
  /** In help: `NAME`, `SIZE`. */
  value?: string
  /** A regular expression that the entire value must match; `value` describes it to the user. */
  pattern?: string
  /** The option is repeatable. */
  many?: boolean
  doc: string
  /** The default: shown in help, applied by the driver. */
  fallback?: string
  /** The commands that it belongs to. */
  commands: readonly DriverCommand[]
  /** The option only affects this run, so the record does not keep it. Only options of `create` are ever kept. */
  transient?: boolean
  /**
   * What the record keeps of a transient option until the change is done, so that another machine can resume it. `value`: the value
   * itself. `url`: the value if it is a URL without credentials; files exist on one machine only. Absent: nothing; the user must repeat it.
   */
  resume?: 'value' | 'url'
}

export interface Owner {
  /** The kind of owner, for messages. */
  what: keyof typeof ownerKeys
  /** The labels of every object that is applied: name and uuid. */
  labels: Readonly<Record<string, string>>
  /** The label that identifies the owner, one of `ownerKeys`. */
  key: string
  /**
   * True (`--adopt`): takes over objects without an owner's label. False: the command has `--adopt`, and it was not set. Objects of
   * another owner are refused in any case.
   */
  adopt?: boolean
}

export interface Plan<O extends object = Record<string, unknown>> {
  /** Completes "cannot …": `create federation "myfed"`. */
  title: string
  steps: readonly Step<O>[]
  clusters: Readonly<Record<string, PlanCluster<O>>>
  owner: Owner
  /** The step after which users can access what the plan makes, without waiting for the rest. */
  entry?: string
  /** Values that are known before the first step. */
  inputs?: Partial<O>
  /** Namespaces (as `cluster key/name`) that this run made itself: everything in them is ours. */
  newNamespaces?: ReadonlySet<string>
  /** Objects that were read just now, by cluster key: they are not read again before their first write. */
  observed?: Readonly<Record<string, readonly Observed[]>>
  /** Takes back fields that other clients have changed. Never on a first run. */
  force?: boolean
  /**
   * Reports exactly what changed. Without it, objects that changed a moment ago, in a cluster where everything is ours, may be
   * reported as changed now.
   */
  exact?: boolean
  /** Kinds of objects that a deletion checks for at its end. */
  leftovers?: readonly {
    on: string
    kind: Kind
    namespace?: string
  }[]
}

export interface PlanCluster<O extends object = Record<string, unknown>> {
  /** Shown in a dry run: `host "c1"`. */
  title: string
  /** Called when first needed, with the outputs so far (a federation's API starts in the middle of its plan). */
  connect(outputs: O): Promise<ClusterApi>
  /** Everything in it is ours: an API server that the plan itself makes. Owners are not checked before a write. */
  allOurs?: boolean
}

/** `O` names the values that steps pass on. In a dry run they are `Unknown` until their step has been inspected. */
export interface Step<O extends object = Record<string, unknown>> {
  /** The step's name for users and in `needs`: `etcd`, `join-c2`. */
  id: string
  /** Completes "etcd: …": `three members on persistent volumes`. */
  title: string
  /** Steps that must be done before this one, which can then read their outputs. */
  needs?: readonly string[]
  /** A key of `Plan.clusters`; absent: the plan's first cluster. */
  on?: string
  /** The names of its outputs. */
  gives?: readonly (keyof O & string)[]
  /** Outputs that are named but never shown. */
  secrets?: readonly (keyof O & string)[]
  /** Returns the outputs, as `ready` would, if there is nothing to do: then the step writes nothing. */
  alreadyDone?(outputs: O, tools: Tools): Promise<Partial<O> | undefined>
  /** Objects that must be deleted before `want` is applied, because they cannot be changed into the wanted ones. */
  replace?(outputs: O, tools: Tools): ObjectRef[] | Promise<ObjectRef[]>
  /**
   * The objects that must exist. Namespaces and definitions are applied first, workloads last, the rest in between.
   * The engine waits for them as their kind requires: workloads ready, definitions established, API services available.
   */
  want?(outputs: Outputs<O>): KubeObject[] | Promise<KubeObject[]>
  /** False: the engine does not wait for the applied objects, only for `ready`. */
  awaitObjects?: boolean
  /** Objects to delete; the step waits until they no longer exist. Objects that are not ours stay. */
  unwanted?(outputs: Outputs<O>, tools: Tools): ObjectRef[] | Promise<ObjectRef[]>
  /** Work that is not about own objects (a file, a patch of other objects). Runs before `want`; must be safe to run twice. */
  act?(outputs: O, tools: Tools): Promise<Partial<O> | undefined>
  /** `act` writes nothing: a dry run may call it for its outputs. */
  readOnly?: boolean
  /** The lines that a dry run shows for `act`. */
  describe?(outputs: Outputs<O>): string[]
  /**
   * Called again until it returns the outputs (or {}), once the objects of `want` are ready.
   * @param applied the objects of `want` as the server returned them, in the order in which they were written
   */
  ready?(outputs: O, tools: Tools, applied: readonly KubeObject[]): Promise<Partial<O> | undefined>
  /** Something that its pods need to start and that another step makes, which reports its problems. */
  awaits?: {
    missing(tools: Tools): Promise<string | undefined>
    arrived?(tools: Tools): Promise<void>
  }
  /** Called when pods crash, to repair the cause once. Returns true if it did something: then they get time to recover. */
  mend?(outputs: O, trouble: string, tools: Tools): Promise<boolean>
  /** The step's time limit; the operation's own limit applies as well. */
  timeoutMs?: number
  /** What the user can do if the step does not become ready in time. */
  hint?: string
  next?: readonly NextStep[]
}

/** What the functions of a step may use. */
export interface Tools {
  /** The cluster that the step is `on`. */
  api: ClusterApi
  /** Another cluster of the plan, by its key. */
  cluster(key: string): Promise<ClusterApi>
  /** Aborts when the step must stop: pass it to every call that takes a signal. */
  signal: AbortSignal
  /** The time that the step has when it starts: an `act` that waits must not wait longer. */
  limitMs: number
  /** Reports the step's status to the user. If the wait times out, the error quotes the last one. */
  tell(text: string): void
  /** Reads an object that is about to be written, so that the engine need not read it again. */
  read(ref: ObjectRef): Promise<KubeObject | undefined>
  /** Applies an object as the engine would: with the owner's labels, and refused if it has another owner. */
  apply(object: KubeObject): Promise<KubeObject>
  /** Deletes an object if it exists and is ours. */
  remove(ref: ObjectRef): Promise<boolean>
  /** Call it in `act` if there was nothing to do. Otherwise `act` counts as a change. */
  changedNothing(): void
}

/**
 * A value that a step gives. In a dry run it may not be known yet; then it reads `<known after ID>` in text (`${value}`), and whatever
 * is read from it or called on it is unknown, too. So it can be put into objects and into text, and decides nothing: its
 * length, a comparison with it, or what a function outside makes of it means nothing.
 */
export type Unknown<T> = unknown extends T
  ? T
  : T extends null | undefined
    ? T
    : T & {
        readonly unknownInDryRun?: true
      }

/** A command about a cluster: its words, and its arguments after the cluster's name. */
export type ClusterCommand = Pick<CoeStep, 'words' | 'args'>

/** Finds clusters by name. With `open`, also creates and manages them. */
export interface ClusterDriver {
  /** The prefix of references to this driver's clusters: `magnum` in `magnum:prod`. */
  readonly prefix: string
  /** Whether references without a prefix are looked up with this driver. */
  readonly configured: boolean
  /** The clusters that can be referred to. */
  list(): Promise<
    {
      name: string
      detail?: string
    }[]
  >
  /** Describes a cluster without connecting to it. Undefined if the driver does not know the cluster. */
  describe?(name: string): Promise<Cluster | undefined>
  /** The access to a cluster. Undefined if the driver does not know the cluster. */
  find(name: string): Promise<KubeAccess | InlineAccess | undefined>
  /** The rights that the user needs in this namespace of the management cluster. coe checks them before the first write. */
  rights?(namespace: string): FederationRights
  /** If the driver only finds clusters: advice on how to change them, with another command or another program. */
  changedBy?(name: string, command: ClusterCommand): Advice | Promise<Advice>
  /** Opens the clusters in one namespace of a management cluster. Absent if the driver only finds existing clusters. */
  open?(site: ClusterSite): OpenClusters
}

/** The name and uuid of a cluster or template. coe assigns the uuid before the first object is written. */
export interface ClusterIdentity {
  name: string
  uuid: string
}

/** Where a driver stores its clusters: as objects in one namespace of a management cluster, shared by all its users. */
export interface ClusterSite {
  /** The management cluster's API, with the user's rights. */
  api: ClusterApi
  /** The management cluster's name for messages, for example `management cluster "c1"`. */
  title: string
  /** coe creates the namespace before any plan runs. The driver must not delete it. */
  namespace: string
  /** The driver's options, validated against `DriverFacts.options`. The driver itself stores those that it needs later. */
  settings: Options
  /** The owner to mark the objects of a cluster or template with: use it as `Plan.owner`, and its labels to find the objects. */
  owner(what: 'cluster' | 'cluster template', identity: ClusterIdentity): Owner
  signal: AbortSignal
}

export interface OpenCertificates {
  /** @param kind which CA, if the cluster has several, for example `etcd` */
  show(cluster: ClusterIdentity, kind?: string): Promise<Certificate>
  /** @param csr a certificate request, as PEM text */
  sign?(cluster: ClusterIdentity, csr: string, kind?: string): Promise<Certificate>
  rotate?(cluster: ClusterIdentity, options: PlanOptions): Promise<Plan>
}

/**
 * The clusters of one site, opened for one command. If a method is absent, coe refuses the corresponding command. A driver with
 * `create` must also have `remove`. All answers must come from the management cluster, so that all its users see the same.
 */
export interface OpenClusters {
  /** All clusters, each as `observe` returns it. */
  list(): Promise<Cluster[]>
  /**
   * The current state of a cluster, by name or uuid, with Magnum's field names; undefined if there is no such cluster. Derive the
   * status from the existing objects instead of storing it: then it is correct even after an interrupted creation or a failure
   * that has passed.
   */
  observe(ref: string): Promise<Cluster | undefined>
  /** Checks a request, for example for unknown templates and images. Must not write anything. */
  preflight?(cluster: ClusterIdentity, request: ClusterRequest): Promise<Finding[]>
  /** The plan that creates a cluster, or resumes its creation; then `cluster` is the identity of the existing cluster. */
  create?(cluster: ClusterIdentity, request: ClusterRequest, options: PlanOptions): Promise<Plan>
  update?(cluster: ClusterIdentity, change: ClusterChange, options: PlanOptions): Promise<Plan>
  resize?(cluster: ClusterIdentity, size: ClusterResize, options: PlanOptions): Promise<Plan>
  upgrade?(cluster: ClusterIdentity, target: ClusterUpgrade, options: PlanOptions): Promise<Plan>
  /** Must work for a partly created cluster. Delete the objects that `observe` needs last, so that an interrupted run can be repeated. */
  remove?(cluster: ClusterIdentity, options: PlanOptions): Promise<Plan>
  /** The administrator's access. Throws `notFound` if it does not exist yet. */
  access?(cluster: ClusterIdentity): Promise<InlineAccess>
  readonly templates?: OpenTemplates
  readonly nodegroups?: OpenNodeGroups
  readonly credentials?: {
    /** Replaces the credentials that the cluster uses in its cloud. */
    rotate(cluster: ClusterIdentity, options: PlanOptions): Promise<Plan>
  }
  readonly certificates?: OpenCertificates
}

export interface OpenNodeGroups {
  list(cluster: ClusterIdentity): Promise<NodeGroup[]>
  create?(cluster: ClusterIdentity, request: NodeGroupRequest, options: PlanOptions): Promise<Plan>
  /** @param group the name of the node group */
  update?(cluster: ClusterIdentity, group: string, change: NodeGroupChange, options: PlanOptions): Promise<Plan>
  remove?(cluster: ClusterIdentity, group: string, options: PlanOptions): Promise<Plan>
}

export interface OpenTemplates {
  list(): Promise<ClusterTemplate[]>
  create?(template: ClusterIdentity, request: TemplateRequest, options: PlanOptions): Promise<Plan>
  update?(template: ClusterIdentity, change: TemplateChange, options: PlanOptions): Promise<Plan>
  remove?(template: ClusterIdentity, options: PlanOptions): Promise<Plan>
}

export interface World {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Undefined if neither HOME nor the password database has it. */
  readonly home: string | undefined
  readonly platform: NodeJS.Platform
  readonly pid: number
  /** The user's id, on platforms that have user ids. */
  readonly uid?: number | undefined
  /** Whether a process of this machine is running: locks of dead processes are broken. Absent if unknown. */
  readonly isRunning?: (pid: number) => boolean
  readonly hostname: string
  readonly clock: Clock
}

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

/** Access to a federation, or to any cluster whose credentials are in memory. */
export interface InlineAccess extends FederationAccess {
  tlsServerName?: string | undefined
  insecure?: boolean
  proxyUrl?: string | undefined
}

export interface ClusterApi {
  /** The cluster's name in errors: a context, `magnum:prod`, or a federation's name. */
  readonly name: string
  readonly server: string
  /** The context's, else `default`. */
  readonly namespace: string
  /** Undefined if it does not exist. */
  get<T extends KubeObject = KubeObject>(ref: ObjectRef, limits?: RequestLimits): Promise<T | undefined>
  exists(ref: ObjectRef, limits?: RequestLimits): Promise<boolean>
  /** All of them, page by page. */
  list<T extends KubeObject = KubeObject>(kind: Kind, selection?: Selection): Promise<KubeList<T>>
  /** POST. The second of two creators gets a conflict. If the answer is lost, the object is read to find out what happened. */
  create<T extends KubeObject = KubeObject>(object: T, write?: Write): Promise<T>
  /** Server-side apply as manager `coe`. The caller checks that the object may be changed: see ownership.ts. */
  apply(object: KubeObject, options?: ApplyOptions): Promise<Applied>
  /** PUT. With a resourceVersion in the object, it conflicts if the object was changed meanwhile. */
  update<T extends KubeObject = KubeObject>(
    object: T,
    options?: Write & {
      subresource?: string
    },
  ): Promise<T>
  patch<T extends KubeObject = KubeObject>(ref: ObjectRef, patch: unknown, options: PatchOptions): Promise<T>
  /** False if it did not exist. After true it may still exist for a while, held by finalizers. */
  delete(ref: ObjectRef, options?: DeleteOptions): Promise<boolean>
  /** Deletes all selected objects of a kind in one request. */
  deleteAll(kind: Kind, selection: Selection & DeleteOptions): Promise<void>
  /** Continues after cut connections and expired versions, until the signal aborts. */
  watch<T extends KubeObject = KubeObject>(kind: Kind, options: WatchOptions): AsyncIterable<WatchEvent<T>>
  /** The last lines of a container's log. Undefined if there are none or they cannot be read. */
  logs(
    pod: ObjectRef,
    options: RequestLimits & {
      container?: string
      lines: number
      previous?: boolean
    },
  ): Promise<string | undefined>
  version(limits?: RequestLimits): Promise<ServerVersion>
  /** Undefined on servers before 1.28, which do not have this API. */
  whoami(limits?: RequestLimits): Promise<Identity | undefined>
  /** One answer for each question; the requests run concurrently. */
  canI(questions: readonly AccessQuestion[], limits?: RequestLimits): Promise<boolean[]>
  /** The UID of the namespace kube-system, which identifies the cluster whatever its name or address. */
  identity(limits?: RequestLimits): Promise<string>
  /** Adds kinds to those whose paths are known without discovery. */
  learn(kinds: readonly KnownKind[]): void
  /** Is the kind served here? */
  serves(kind: Kind, limits?: RequestLimits): Promise<boolean>
  /** Sends a request with credentials. Throws only transport failures; the caller checks the status. */
  raw(request: Request): Promise<Response>
}

export interface PollOptions {
  clock: Clock
  /** Undefined: no deadline; only the signal ends the loop. */
  timeoutMs?: number | undefined
  /** The first pause; each further pause is 1.5 times as long, up to `maxIntervalMs`. */
  intervalMs?: number
  maxIntervalMs?: number
  signal?: AbortSignal | undefined
  /** Completes "gave up waiting for … after 5m": `cluster "c1" to be CREATE_COMPLETE`. */
  what: string
  /** The last state seen, for the error of a wait that times out. */
  lastSeen?: () => string | undefined
}

export interface ErrorOptions extends Advice {
  cause?: unknown
  details?: ErrorDetails | undefined
}

export declare class CoeError extends Error {
  override readonly name = 'CoeError'
  readonly outcome: Outcome
  readonly hint: string | undefined
  /** Commands to run, after the hint. */
  readonly next: readonly NextStep[]
  readonly details: ErrorDetails
  constructor(outcome: Outcome, message: string, options?: ErrorOptions)
  get exitCode(): number
}

export interface MemberSettings {
  /** The address at which the federation reaches its API server, if it differs from the context's. */
  server?: string | undefined
  labels?: Readonly<Record<string, string>> | undefined
  region?: string | undefined
  zones?: readonly string[] | undefined
  provider?: string | undefined
}

export interface KubeObject extends Kind {
  metadata: ObjectMeta
  [field: string]: any
}

/** Rights by what a user does with a federation; each level includes the ones before it. */
export interface FederationRights {
  /** list, show, status, members */
  look: readonly Right[]
  /** join, unjoin, update, kubeconfig */
  manage: readonly Right[]
  /** create, delete */
  own: readonly Right[]
}

export interface Right {
  /** The core group when absent. */
  group?: string
  /** Plural, with a subresource where one is meant: `pods/log`. */
  resource: string
  verbs: readonly string[]
  /** Only for objects of these names. */
  names?: readonly string[]
  /** Cluster-wide when absent. */
  namespace?: string
  why: string
  /** Without it, the work is done all the same, with less detail in the output. */
  optional?: boolean
  /** Needed only for this option: `--ha`. */
  when?: string
}

export interface MemberHealth {
  name: string
  /** Null: the federation does not know. */
  ready: boolean | null
  /** The condition's reason: `ClusterNotReachable`. */
  reason: string | null
  message: string | null
  /** What to do about it, if that is known. */
  hint?: string
  next?: readonly NextStep[]
  version: string | null
  nodes: {
    ready: number
    total: number
  } | null
  /** The address that the federation uses. */
  server: string | null
  /** The UID of its kube-system namespace: which cluster it is. */
  cluster_uid: string | null
  region: string | null
  zones: string[]
  provider: string | null
  labels: Record<string, string>
  joined_at: string | null
  /** It is being removed from the federation. */
  leaving: boolean
}

export interface FederationHealth {
  components: ComponentHealth[]
  /** Absent when `api.reachable` is false: coe then shows the members on record. */
  members?: MemberHealth[]
  certificates: CertificateHealth[]
  /** Objects that were deleted while the pods run on. Absent if the driver does not check them. */
  objects?: ObjectHealth[]
  api: {
    server: string | null
    reachable: boolean
    version?: string
    reason?: string
  }
}

/** An object of the driver that is missing or incomplete. */
export interface ObjectHealth {
  /** `Secret karmada-webhook` */
  name: string
  healthy: boolean
  reason: string
  /** What to do about it. */
  hint?: string
  next?: readonly NextStep[]
}

export interface CommandLine {
  /** `federation create`, as a list. */
  readonly words: readonly string[]
  readonly args: readonly StepArg[]
  /**
   * `resume`, `inspect`, `wait`, or a clause that the command completes: `delete the federation first`. Empty if the
   * preceding text says it.
   */
  readonly why: string
}

export interface CommandOption {
  readonly option: string
  readonly value?: string
}

export type DriverCommand = (typeof driverCommands)[number]

/** For each kind of owner, the label that says which one owns an object. */
export declare const ownerKeys: {
  readonly federation: 'coe/federation-uuid'
  readonly cluster: 'coe/cluster-uuid'
  readonly 'cluster template': 'coe/cluster-template-uuid'
}

export interface Observed {
  ref: ObjectRef
  /** Undefined if it did not exist. */
  live: KubeObject | undefined
}

/** A kind of objects: enough to list them. */
export interface Kind {
  apiVersion: string
  kind: string
}

/** One object, by name. */
export interface ObjectRef extends Kind {
  name: string
  namespace?: string | undefined
}

/** All that steps give, as far as it is known. */
export type Outputs<O extends object> = { [K in keyof O]: Unknown<O[K]> }

export interface Cluster {
  uuid: string
  name: string
  status: string | null
  status_reason?: string | null
  health_status?: string | null
  health_status_reason?: Record<string, unknown> | null
  cluster_template_id?: string | null
  keypair?: string | null
  node_count?: number | null
  master_count?: number | null
  labels?: Labels | null
  labels_overridden?: Labels | null
  labels_added?: Labels | null
  labels_skipped?: Labels | null
  api_address?: string | null
  node_addresses?: string[] | null
  master_addresses?: string[] | null
  coe_version?: string | null
  container_version?: string | null
  /** Until microversion 1.13. */
  stack_id?: string | null
  /** From microversion 1.13, in place of stack_id. */
  cluster_id?: string | null
  faults?: Record<string, string> | null
  project_id?: string | null
  user_id?: string | null
  created_at?: string | null
  updated_at?: string | null
  [field: string]: unknown
}

/** The advice of an error. */
export interface Advice {
  hint?: string | undefined
  next?: readonly NextStep[] | undefined
}

export interface Certificate {
  cluster_uuid?: string
  pem: string
  csr?: string | null
  [field: string]: unknown
}

/** A new cluster. Absent fields come from the template. */
export interface ClusterRequest {
  name: string
  /** By name or uuid. */
  template: string
  /** Worker nodes. */
  nodeCount?: number
  controlPlaneCount?: number
  /** SSH key pair to put on the nodes. */
  keypair?: string
  flavor?: string
  controlPlaneFlavor?: string
  labels?: Labels
  /** The labels are added to the template's; without this they replace all of them. */
  mergeLabels?: boolean
  /** Volume for containers on each node, in GiB. */
  containerVolumeSize?: number
  network?: string
  subnet?: string
  /** Do nodes get floating addresses? */
  floatingIps?: boolean
  /** Is there a load balancer before the control plane? */
  loadBalancer?: boolean
  /** URL through which its etcd members find each other. */
  discoveryUrl?: string
  /** Time limit for its creation in minutes; 0 is no limit. */
  createTimeout?: number
}

export interface ClusterChange extends Change<ClusterFields> {
  /** Roll the change back if it fails. */
  rollback?: boolean
}

export interface ClusterResize {
  nodeCount: number
  /** Servers that go first. */
  nodesToRemove: readonly string[]
  /** The default workers when absent. */
  nodegroup?: string | undefined
}

export interface ClusterUpgrade {
  /** The template to upgrade to, by name or uuid. */
  template: string
  /** Number of nodes to upgrade at a time. */
  maxBatchSize: number
  /** The complete cluster when absent. */
  nodegroup?: string | undefined
}

export interface NodeGroup {
  uuid: string
  name: string
  role?: string | null
  node_count?: number | null
  min_node_count?: number | null
  max_node_count?: number | null
  status?: string | null
  status_reason?: string | null
  is_default?: boolean | null
  [field: string]: unknown
}

/** A new node group. Absent fields come from its cluster. */
export interface NodeGroupRequest {
  name: string
  nodeCount?: number
  minNodes?: number
  maxNodes?: number
  role?: string
  flavor?: string
  image?: string
  /** Volume for containers on each node, in GiB. */
  containerVolumeSize?: number
  labels?: Labels
  /** The labels are added to the cluster's; without this they replace all of them. */
  mergeLabels?: boolean
  /** Labels of its Kubernetes nodes. */
  nodeLabels?: Labels
  nodeTaints?: readonly Taint[]
}

export type NodeGroupChange = Change<NodeGroupFields>

export interface ClusterTemplate {
  uuid: string
  name: string
  coe?: string | null
  image_id?: string | null
  labels?: Labels | null
  tls_disabled?: boolean | null
  tags?: string | null
  [field: string]: unknown
}

export interface TemplateRequest extends TemplateFields {
  name: string
}

/** `set.labels` replaces all labels; `labels` changes single ones after that. */
export type TemplateChange = Change<TemplateFields>

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after `ms`; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export type Mapping = PlainMapping

export interface FederationAccess {
  /** The name that users see: `magnum:prod`, or that of a federation. */
  name: string
  server: string
  ca?: string | undefined
  cert?: string | undefined
  key?: string | undefined
  token?: string | undefined
}

export interface RequestLimits {
  signal?: AbortSignal | undefined
  /** The limit for one request; does not apply to watches. */
  timeoutMs?: number
}

export interface Selection extends RequestLimits {
  /** Absent: all namespaces (or a kind without them). */
  namespace?: string | undefined
  /** `app=etcd`, `coe/federation-uuid=…` */
  labels?: string | undefined
  /** `metadata.name=etcd` */
  fields?: string | undefined
  /** The server sends metadata only: `spec`, `data` and `status` are absent. */
  metadataOnly?: boolean
}

export interface KubeList<T extends KubeObject = KubeObject> {
  items: T[]
  /** The version from which a watch can continue. */
  resourceVersion: string
}

export interface Write extends RequestLimits {
  /** The server runs admission, validation and defaults, but does not store the object. */
  dryRun?: boolean
}

export interface ApplyOptions extends Write {
  /** Takes fields from other managers. Never on a first run. */
  force?: boolean
  /** Such as `status`, which is written separately. */
  subresource?: string
}

export interface Applied {
  object: KubeObject
  /** `configured` also when the previous state is not known. */
  result: 'created' | 'configured' | 'unchanged'
}

export interface PatchOptions extends Write {
  type: 'merge' | 'json' | 'strategic'
  subresource?: string
}

export interface DeleteOptions extends Write {
  propagation?: 'Background' | 'Foreground' | 'Orphan'
  graceSeconds?: number
  /** Deletes only the object with this uid: a new object of the same name stays. */
  uid?: string | undefined
  resourceVersion?: string | undefined
}

export interface WatchOptions extends Selection {
  /** The version to start after. Absent: the watch lists first. With it, there is no `all` unless the server no longer knows it. */
  from?: string | undefined
  /** Called for temporary failures of the connection or server; the watch continues. */
  onTrouble?(error: CoeError): void
}

export type WatchEvent<T extends KubeObject = KubeObject> =
  | {
      type: 'all'
      items: T[]
    }
  | {
      type: 'set'
      object: T
    }
  | {
      type: 'gone'
      object: T
    }

export interface ServerVersion {
  major: string
  minor: string
  gitVersion: string
  platform?: string
}

export interface Identity {
  username: string
  uid?: string
  groups: string[]
}

export interface AccessQuestion {
  verb: string
  group?: string
  resource: string
  subresource?: string
  namespace?: string | undefined
  name?: string
}

export interface KnownKind extends Kind {
  plural: string
  namespaced: boolean
}

export interface Request {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Appended to the endpoint's url. */
  path: string
  query?: Readonly<Record<string, string | number | undefined>>
  headers?: Readonly<Record<string, string | string[]>>
  /** Sent as JSON; a string is sent unchanged. */
  body?: unknown
  signal?: AbortSignal | undefined
  timeoutMs?: number
  /** A POST or PATCH that may be repeated even if the first one was processed. */
  repeatable?: boolean
}

export interface Response {
  status: number
  headers: Readonly<Record<string, string | undefined>>
  text: string
  /** The number of the attempt that was answered; 1 without retries. */
  attempts: number
}

/** Facts for programs beside the text, printed with `-f json`. */
export interface ErrorDetails {
  /** HTTP status of the answer. */
  status?: number | undefined
  /** The service that answered: `keystone`, `magnum`, `kubernetes`. */
  service?: string | undefined
  request_id?: string | undefined
  /** errno-like code of the transport: ECONNREFUSED, CERT_HAS_EXPIRED, … */
  code?: string | undefined
  [key: string]: unknown
}

export type Outcome = keyof typeof exitCodes

export interface ObjectMeta {
  name?: string
  generateName?: string
  namespace?: string
  uid?: string
  resourceVersion?: string
  generation?: number
  creationTimestamp?: string
  deletionTimestamp?: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
  finalizers?: string[]
  ownerReferences?: {
    apiVersion: string
    kind: string
    name: string
    uid: string
    [field: string]: unknown
  }[]
  managedFields?: ManagedFields[]
  [field: string]: unknown
}

export interface ComponentHealth {
  name: string
  ready: boolean
  replicas: {
    ready: number
    wanted: number
  }
  image?: string
  /** Why it is not ready, from its pods and events. */
  reason?: string
}

export interface CertificateHealth {
  /** `etcd/tls.crt` */
  name: string
  not_after: string
  days_left: number
  /** Due for renewal, by the driver's limit. */
  due: boolean
}

/** The commands that accept options of drivers. */
export declare const driverCommands: readonly [
  'federation create',
  'federation images',
  'federation join',
  'federation unjoin',
  'federation delete',
  'federation resume',
  'cluster create',
]

export type Labels = Record<string, string>

export interface Change<Fields> {
  /** Only the fields that the user named, in that order. */
  set: Fields
  unset: readonly (keyof Fields)[]
  labels: LabelChange
  /**
   * For the stock client's older dialect: operations such as `add name=x` or `replace unknown_field=1`, which no field above can
   * express. They are sent as written. Only Magnum applies them; other backends refuse them.
   */
  patch: readonly PatchOperation[]
}

/** Fields of an existing cluster that can be changed; each backend refuses what it cannot change. */
export interface ClusterFields {
  name?: string
  nodeCount?: number
  controlPlaneCount?: number
  /** Reported by the tool that monitors the cluster. */
  healthStatus?: string
  healthStatusReason?: Readonly<Record<string, string>>
}

/** Keeps pods off Kubernetes nodes. */
export interface Taint {
  key: string
  value?: string
  effect: string
}

/** The number of nodes is not here: a resize of the cluster changes it. */
export interface NodeGroupFields {
  minNodes?: number
  maxNodes?: number
  /** Replaces all labels; an empty object removes them. */
  nodeLabels?: Labels
  nodeTaints?: readonly Taint[]
}

export interface TemplateFields {
  name?: string
  /** What runs the containers: `kubernetes`. */
  coe?: string
  image?: string
  /** Network that the clusters are reached through. */
  externalNetwork?: string
  keypair?: string
  network?: string
  subnet?: string
  /** What connects the containers. */
  networkDriver?: string
  /** What makes volumes for containers. */
  volumeDriver?: string
  /** Name servers of the nodes. */
  dnsNameserver?: string
  flavor?: string
  controlPlaneFlavor?: string
  /** Volume for containers on each node, in GiB. */
  containerVolumeSize?: number
  /** How the nodes store images. */
  storageDriver?: string
  httpProxy?: string
  httpsProxy?: string
  noProxy?: string
  insecureRegistry?: string
  labels?: Labels
  /** Are the APIs of its clusters served without TLS? */
  tlsDisabled?: boolean
  /** May other projects use it? */
  public?: boolean
  /** Do clusters get an image registry of their own? */
  registry?: boolean
  /** `vm`, or `bm` for bare metal. */
  serverType?: string
  /** Is there a load balancer before the control plane? */
  loadBalancer?: boolean
  /** Do nodes get floating addresses? */
  floatingIps?: boolean
  hidden?: boolean
  tags?: readonly string[]
  /** What makes the clusters. */
  driver?: string
}

export type PlainMapping = {
  [key: string]: unknown
}

/** Frozen: scripts test these numbers. */
export declare const exitCodes: {
  readonly ok: 0
  readonly failed: 1
  readonly usage: 2
  readonly notFound: 3
  readonly denied: 4
  readonly conflict: 5
  readonly partial: 6
  readonly timeout: 7
  readonly hangup: 129
  readonly interrupted: 130
  readonly terminated: 143
}

export interface ManagedFields {
  manager?: string
  operation?: 'Apply' | 'Update'
  subresource?: string
  fieldsV1?: Record<string, unknown>
  [field: string]: unknown
}

/** Single labels; all others keep their values. */
export interface LabelChange {
  set: Record<string, string>
  unset: readonly string[]
}

/** One operation of Magnum's JSON patch, by a path such as `node_count` or `labels/foo`. */
export interface PatchOperation {
  op: 'add' | 'replace' | 'remove'
  path: string
  value?: string | number | boolean
}
