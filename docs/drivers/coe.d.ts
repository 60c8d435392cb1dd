/**
 * What a driver is, and what coe gives to one. "coe driver init" puts this file beside a new driver; nothing in it runs.
 * The interfaces grow, and what is in them stays. Generated from coe's sources by "npm run docs".
 */

/** A driver's folder has this as its default export; it is called once, and asks nothing of any server. */
export type MakeDriver = (coe: DriverApi) => Driver

/** Grows; what is in it stays. */
export interface DriverApi {
  readonly world: World
  connect(
    access: KubeAccess | InlineAccess,
    options?: {
      title?: string
      timeoutMs?: number
    },
  ): ClusterApi
  /** Follows redirects; nothing of ours is sent along. */
  download(url: string): Promise<Buffer>
  /** `undefined`: no such folder is known. */
  readonly folders: {
    assets: string | undefined
    cache: string | undefined
  }
  /** Told of what must never be printed. */
  addSecret(value: string): void
  /** The contexts of the person's kubeconfig, or of another file. */
  contexts(file?: string): Promise<string[]>
  /** Without a name the current one. */
  context(name: string | undefined, file?: string): Promise<KubeAccess>
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
  images(settings: Options): {
    component: string
    image: string
  }[]
  /** What its actions take from a user on the host; without settings, all that any may take. Asked before the first write. */
  rights?(namespace: string, settings?: Options): FederationRights
  /** The same on a cluster that joins, by its name in the federation. */
  memberRights?(member: string): readonly Right[]
  /** Its name in the federation: the reason why it cannot be, or undefined. */
  memberNameProblem(name: string): string | undefined
  /** After an unjoin by force: what is still on the member, and what takes it away there. */
  leftBehind(
    member: string,
    context: string,
  ): {
    what: string
    next: NextStep
  }[]
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
  /** What owns it, for messages. */
  what: keyof typeof ownerKeys
  /** On every object that is applied: name and uuid labels. */
  labels: Readonly<Record<string, string>>
  /** The label that decides, one of those above. */
  key: string
  /** Takes over what nobody's label is on (`--adopt`); false: it could, and was not told to. What another owns stays refused. */
  adopt?: boolean
}

export interface Plan<O extends object = Record<string, unknown>> {
  /** Completes "cannot …": `create federation "myfed"`. */
  title: string
  steps: readonly Step<O>[]
  clusters: Readonly<Record<string, PlanCluster<O>>>
  owner: Owner
  /** The step after which what the plan makes can be entered: its users need not wait for the rest. */
  entry?: string
  /** What is known before the first step. */
  inputs?: Partial<O>
  /** Namespaces (as `cluster key/name`) that this run made itself: what is in them can only be ours. */
  newNamespaces?: ReadonlySet<string>
  /** What was looked at just now, by the key of its cluster: it is not read again before it is written. */
  observed?: Readonly<Record<string, readonly Observed[]>>
  /** Takes fields back that others have changed. Never on a first run. */
  force?: boolean
  /**
   * What changed is told exactly. Without it, what was changed a moment ago in a cluster that is wholly ours may be told
   * as changed now.
   */
  exact?: boolean
  /** Kinds of objects that a removal looks for at its end. */
  leftovers?: readonly {
    on: string
    kind: Kind
    namespace?: string
  }[]
}

export interface PlanCluster<O extends object = Record<string, unknown>> {
  /** Shown in a dry run: `host "c1"`. */
  title: string
  /** Called when first needed, with what is known by then (a federation's API comes up in the midst of its plan). */
  connect(outputs: O): Promise<ClusterApi>
  /** Everything in there is ours: an API server that the plan itself makes. No look at owners before a write. */
  allOurs?: boolean
}

/** `O` names the values that steps pass on. In a dry run they are `Unknown` until their step has been looked at. */
export interface Step<O extends object = Record<string, unknown>> {
  /** What people call it, and what others need: `etcd`, `join-c2`. */
  id: string
  /** Completes "etcd: …": `three members on persistent volumes`. */
  title: string
  /** Steps that must be done before. Their outputs are there then. */
  needs?: readonly string[]
  /** A key of `Plan.clusters`; the plan's first when absent. */
  on?: string
  /** Names of the outputs that it adds. */
  gives?: readonly (keyof O & string)[]
  /** Those of them that are named and never shown. */
  secrets?: readonly (keyof O & string)[]
  /** Nothing is written when this says that all is so already: the outputs, as `ready` would give them. */
  alreadyDone?(outputs: O, tools: Tools): Promise<Partial<O> | undefined>
  /** Objects that must be gone before `want` is applied, for what is in their place cannot be changed into it. */
  replace?(outputs: O, tools: Tools): ObjectRef[] | Promise<ObjectRef[]>
  /**
   * The objects that are to be. Namespaces and definitions are applied first, workloads last, the rest side by side.
   * They are waited for as their kind tells: workloads ready, definitions established, API services available.
   */
  want?(outputs: Outputs<O>): KubeObject[] | Promise<KubeObject[]>
  /** False: what was applied is not waited for (`ready` still is). */
  awaitObjects?: boolean
  /** Objects that are to go; the step waits until they are gone. Those that are not there or not ours are left. */
  unwanted?(outputs: Outputs<O>, tools: Tools): ObjectRef[] | Promise<ObjectRef[]>
  /** What is no matter of objects (a file, a patch of others' objects). Must bear being done twice. Before `want`. */
  act?(outputs: O, tools: Tools): Promise<Partial<O> | undefined>
  /** `act` writes nothing: a dry run may do it, to know what comes of it. */
  readOnly?: boolean
  /** The lines a dry run shows for `act`. */
  describe?(outputs: Outputs<O>): string[]
  /**
   * Asked again until it answers: the outputs (or {}) when what was asked for is so. After `want` has settled.
   * @param applied the objects of `want` as the server gave them back, in the order in which they were written
   */
  ready?(outputs: O, tools: Tools, applied: readonly KubeObject[]): Promise<Partial<O> | undefined>
  /** What its pods cannot start without, and another step makes: that one tells what is wrong with it. */
  awaits?: {
    missing(tools: Tools): Promise<string | undefined>
    arrived?(tools: Tools): Promise<void>
  }
  /** Pods crash: what can be done about it, once. True: something was, and they are given the time to show. */
  mend?(outputs: O, trouble: string, tools: Tools): Promise<boolean>
  /** How long it may take; the operation's own limit also holds. */
  timeoutMs?: number
  /** What to do when it did not become ready in time. */
  hint?: string
  next?: readonly NextStep[]
}

/** What a step may use while it works or looks. */
export interface Tools {
  /** The cluster that the step is `on`. */
  api: ClusterApi
  /** Another cluster of the plan, by its key. */
  cluster(key: string): Promise<ClusterApi>
  /** Ends waiting and working: pass it to whatever takes one. */
  signal: AbortSignal
  /** What is left of the step's time when it begins: who waits in `act` waits no longer. */
  limitMs: number
  /** What is going on, for the person who waits. Also the "last seen" of a wait that ends in vain. */
  tell(text: string): void
  /** Reads an object that is about to be written: the engine then need not look at it again. */
  read(ref: ObjectRef): Promise<KubeObject | undefined>
  /** Applies an object as the engine would: labelled as ours, and refused when it is somebody else's. */
  apply(object: KubeObject): Promise<KubeObject>
  /** Deletes an object if it is there and ours. */
  remove(ref: ObjectRef): Promise<boolean>
  /** For `act`: all was so already. Else an act counts as a change. */
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

/** What was asked for of a cluster: the words of the command, and what follows the name of the cluster. */
export type ClusterCommand = Pick<CoeStep, 'words' | 'args'>

/** Clusters, by a name that this driver understands. */
export interface ClusterDriver {
  /** `magnum` in `magnum:prod`. */
  readonly prefix: string
  /** Whether bare names are tried with it. */
  readonly configured: boolean
  /** Those that can be named. */
  list(): Promise<
    {
      name: string
      detail?: string
    }[]
  >
  /** What is known of it without entering it. Undefined: it knows no such cluster. */
  describe?(name: string): Promise<Cluster | undefined>
  /** Undefined: it knows no such cluster. */
  find(name: string): Promise<KubeAccess | InlineAccess | undefined>
  /** What its actions take from a user in this namespace of the management cluster. Asked before the first write. */
  rights?(namespace: string): FederationRights
  /** What can change its clusters where it only finds them: another command, or another program. */
  changedBy?(name: string, asked: ClusterCommand): Advice | Promise<Advice>
  /** The clusters that it makes, in one namespace of one management cluster. Absent: it only finds what others made. */
  open?(site: ClusterSite): OpenClusters
}

/** What something is called, and what it is whatever it is called. A new one has its uuid before its first object is written. */
export interface ClusterIdentity {
  name: string
  uuid: string
}

/** Where clusters are kept: as objects in one namespace of a management cluster, which its users share. */
export interface ClusterSite {
  /** The management cluster, with the rights of the user. */
  api: ClusterApi
  /** `management cluster "c1"` */
  title: string
  /** It exists before any plan runs, and is not the driver's. */
  namespace: string
  /** Options of the driver, as given and checked against its data. What must be kept of them, the driver keeps. */
  settings: Options
  /** Whose the objects of a cluster, or of a template, are: for the `owner` of each plan, and to find them again. */
  owner(what: 'cluster' | 'cluster template', identity: ClusterIdentity): Owner
  signal: AbortSignal
}

export interface OpenCertificates {
  /** @param kind of CA, where a cluster has several: `etcd` */
  show(cluster: ClusterIdentity, kind?: string): Promise<Certificate>
  /** @param csr a certificate request, as PEM text */
  sign?(cluster: ClusterIdentity, csr: string, kind?: string): Promise<Certificate>
  rotate?(cluster: ClusterIdentity, options: PlanOptions): Promise<Plan>
}

/**
 * The clusters of one site, opened for one change or one question. What is absent cannot be done, and its command says so. A driver
 * with `create` has `remove`, too. All that it answers is read from the management cluster, so that any user of it sees the same.
 */
export interface OpenClusters {
  /** Each as `observe` would tell of it. */
  list(): Promise<Cluster[]>
  /**
   * By name or uuid, with Magnum's field names. Its status is derived from what is there, never stored: a creation that was killed is
   * found again, and a failure that has passed is no more. Undefined: there is no such cluster.
   */
  observe(ref: string): Promise<Cluster | undefined>
  /** Looks, and writes nothing. Names of templates, images and the like that lead nowhere are found here. */
  preflight?(cluster: ClusterIdentity, request: ClusterRequest): Promise<Finding[]>
  /** Also goes on with one that was begun; then `cluster` is as it was observed. */
  create?(cluster: ClusterIdentity, request: ClusterRequest, options: PlanOptions): Promise<Plan>
  update?(cluster: ClusterIdentity, change: ClusterChange, options: PlanOptions): Promise<Plan>
  resize?(cluster: ClusterIdentity, size: ClusterResize, options: PlanOptions): Promise<Plan>
  upgrade?(cluster: ClusterIdentity, target: ClusterUpgrade, options: PlanOptions): Promise<Plan>
  /** Of any partial state. What the cluster is found by goes last, so that a run that was killed can be run again. */
  remove?(cluster: ClusterIdentity, options: PlanOptions): Promise<Plan>
  /** The administrator's. Not found while there is none yet. */
  access?(cluster: ClusterIdentity): Promise<InlineAccess>
  readonly templates?: OpenTemplates
  readonly nodegroups?: OpenNodeGroups
  readonly credentials?: {
    /** New credentials for what the cluster does in its cloud. */
    rotate(cluster: ClusterIdentity, options: PlanOptions): Promise<Plan>
  }
  readonly certificates?: OpenCertificates
}

export interface OpenNodeGroups {
  list(cluster: ClusterIdentity): Promise<NodeGroup[]>
  create?(cluster: ClusterIdentity, request: NodeGroupRequest, options: PlanOptions): Promise<Plan>
  /** @param group its name in the cluster */
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

/** The way in of a federation, or of anything else whose credentials are at hand. */
export interface InlineAccess extends FederationAccess {
  tlsServerName?: string | undefined
  insecure?: boolean
  proxyUrl?: string | undefined
}

export interface ClusterApi {
  /** How it is called in errors: a context's name, `magnum:prod`, a federation's name. */
  readonly name: string
  readonly server: string
  /** The context's, else `default`. */
  readonly namespace: string
  /** Undefined when it is not there. */
  get<T extends KubeObject = KubeObject>(ref: ObjectRef, limits?: RequestLimits): Promise<T | undefined>
  exists(ref: ObjectRef, limits?: RequestLimits): Promise<boolean>
  /** All of them, page by page. */
  list<T extends KubeObject = KubeObject>(kind: Kind, selection?: Selection): Promise<KubeList<T>>
  /** POST. Of two creators one gets a conflict. A lost answer is settled by looking. */
  create<T extends KubeObject = KubeObject>(object: T, write?: Write): Promise<T>
  /** Server-side apply as manager `coe`. What may be changed is for the caller to know: see ownership.ts. */
  apply(object: KubeObject, options?: ApplyOptions): Promise<Applied>
  /** PUT. With a resourceVersion in the object, a conflict when somebody was faster. */
  update<T extends KubeObject = KubeObject>(
    object: T,
    options?: Write & {
      subresource?: string
    },
  ): Promise<T>
  patch<T extends KubeObject = KubeObject>(ref: ObjectRef, patch: unknown, options: PatchOptions): Promise<T>
  /** False when it was not there. True does not mean gone: finalizers may hold it. */
  delete(ref: ObjectRef, options?: DeleteOptions): Promise<boolean>
  /** All of a kind that are selected, in one request. */
  deleteAll(kind: Kind, selection: Selection & DeleteOptions): Promise<void>
  /** Goes on over cut connections and forgotten versions until the signal ends it. */
  watch<T extends KubeObject = KubeObject>(kind: Kind, options: WatchOptions): AsyncIterable<WatchEvent<T>>
  /** The last lines of a container. Undefined when there are none to be had. */
  logs(
    pod: ObjectRef,
    options: RequestLimits & {
      container?: string
      lines: number
      previous?: boolean
    },
  ): Promise<string | undefined>
  version(limits?: RequestLimits): Promise<ServerVersion>
  /** Undefined on servers before 1.28, which cannot tell. */
  whoami(limits?: RequestLimits): Promise<Identity | undefined>
  /** One answer for each question, asked side by side. */
  canI(questions: readonly AccessQuestion[], limits?: RequestLimits): Promise<boolean[]>
  /** The UID of kube-system: which cluster this is, whatever it is called. */
  identity(limits?: RequestLimits): Promise<string>
  /** Where kinds are served, from somebody who knows: the server need not be asked. */
  learn(kinds: readonly KnownKind[]): void
  /** Is the kind served here? */
  serves(kind: Kind, limits?: RequestLimits): Promise<boolean>
  /** Credentials added, failures of the transport told, the status left to the caller. */
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

/** The label that decides whose an object is, by what owns it. */
export declare const ownerKeys: {
  readonly federation: 'coe/federation-uuid'
  readonly cluster: 'coe/cluster-uuid'
  readonly 'cluster template': 'coe/cluster-template-uuid'
}

export interface Observed {
  ref: ObjectRef
  /** Undefined: there was none. */
  live: KubeObject | undefined
}

/** Which kind: enough to list it. */
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
  /** For all of one request; watches know silence only. */
  timeoutMs?: number
}

export interface Selection extends RequestLimits {
  /** Absent: all namespaces (or a kind without them). */
  namespace?: string | undefined
  /** `app=etcd`, `coe/federation-uuid=…` */
  labels?: string | undefined
  /** `metadata.name=etcd` */
  fields?: string | undefined
  /** Only names, labels and the like are sent: `spec`, `data` and `status` are absent. */
  metadataOnly?: boolean
}

export interface KubeList<T extends KubeObject = KubeObject> {
  items: T[]
  /** Where a watch goes on from. */
  resourceVersion: string
}

export interface Write extends RequestLimits {
  /** The server does all but store it: admission, validation, defaults. */
  dryRun?: boolean
}

export interface ApplyOptions extends Write {
  /** Takes fields from other managers. Never on a first run. */
  force?: boolean
  /** `status`: written apart from the rest. */
  subresource?: string
}

export interface Applied {
  object: KubeObject
  /** `configured` also when what was there before is not known. */
  result: 'created' | 'configured' | 'unchanged'
}

export interface PatchOptions extends Write {
  type: 'merge' | 'json' | 'strategic'
  subresource?: string
}

export interface DeleteOptions extends Write {
  propagation?: 'Background' | 'Foreground' | 'Orphan'
  graceSeconds?: number
  /** Only if it is still this one: what was made anew under its name stays. */
  uid?: string | undefined
  resourceVersion?: string | undefined
}

export interface WatchOptions extends Selection {
  /** Absent: lists first. With it, changes after it are told, and no `all` unless the server forgot. */
  from?: string | undefined
  /** The connection or the server failed in a way that passes; the watch goes on. */
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
