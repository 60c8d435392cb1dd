/** A plan is steps; the engine runs them, dry-run shows them. Drivers write them as data and small functions. */
import type { NextStep } from '../core/next-step.ts'
import type { ClusterApi } from '../kube/api/cluster-api.ts'
import type { Kind, KubeObject, ObjectRef } from '../kube/api/object.ts'
import type { Observed, Owner } from '../kube/ownership/ownership.ts'
import type { Outputs } from './unknown.ts'

export type { Owner } from '../kube/ownership/ownership.ts'
export type { Outputs, Unknown } from './unknown.ts'

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
  awaits?: { missing(tools: Tools): Promise<string | undefined>; arrived?(tools: Tools): Promise<void> }
  /** Pods crash: what can be done about it, once. True: something was, and they are given the time to show. */
  mend?(outputs: O, trouble: string, tools: Tools): Promise<boolean>
  /** How long it may take; the operation's own limit also holds. */
  timeoutMs?: number
  /** What to do when it did not become ready in time. */
  hint?: string
  next?: readonly NextStep[]
}

export interface PlanCluster<O extends object = Record<string, unknown>> {
  /** Shown in a dry run: `host "c1"`. */
  title: string
  /** Called when first needed, with what is known by then (a federation's API comes up in the midst of its plan). */
  connect(outputs: O): Promise<ClusterApi>
  /** Everything in there is ours: an API server that the plan itself makes. No look at owners before a write. */
  allOurs?: boolean
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
  leftovers?: readonly { on: string; kind: Kind; namespace?: string }[]
}

export type StepResult = 'created' | 'configured' | 'unchanged' | 'removed' | 'done'

export interface PlanResult<O extends object = Record<string, unknown>> {
  outputs: O
  /** Those that were started. */
  steps: { id: string; title: string; result: StepResult }[]
  /** Under `--no-wait`: applied, and not ready when looked at once. What needs them was not started. */
  pending: string[]
  notStarted: string[]
  /** False: all was so before. */
  changed: boolean
}
