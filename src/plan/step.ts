/** A plan is a list of steps. Drivers write them as data and small functions; the engine runs them, and a dry run shows them. */
import type { NextStep } from '../core/next-step.ts'
import type { ClusterApi } from '../kube/api/cluster-api.ts'
import type { Kind, KubeObject, ObjectRef } from '../kube/api/object.ts'
import type { Observed, Owner } from '../kube/ownership/ownership.ts'
import type { Outputs } from './unknown.ts'

export type { Owner } from '../kube/ownership/ownership.ts'
export type { Outputs, Unknown } from './unknown.ts'

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
  awaits?: { missing(tools: Tools): Promise<string | undefined>; arrived?(tools: Tools): Promise<void> }
  /** Called when pods crash, to repair the cause once. Returns true if it did something: then they get time to recover. */
  mend?(outputs: O, trouble: string, tools: Tools): Promise<boolean>
  /** The step's time limit; the operation's own limit applies as well. */
  timeoutMs?: number
  /** What the user can do if the step does not become ready in time. */
  hint?: string
  next?: readonly NextStep[]
}

export interface PlanCluster<O extends object = Record<string, unknown>> {
  /** Shown in a dry run: `host "c1"`. */
  title: string
  /** Called when first needed, with the outputs so far (a federation's API starts in the middle of its plan). */
  connect(outputs: O): Promise<ClusterApi>
  /** Everything in it is ours: an API server that the plan itself makes. Owners are not checked before a write. */
  allOurs?: boolean
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
  leftovers?: readonly { on: string; kind: Kind; namespace?: string }[]
}

export type StepResult = 'created' | 'configured' | 'unchanged' | 'removed' | 'done'

export interface PlanResult<O extends object = Record<string, unknown>> {
  outputs: O
  /** The steps that were started. */
  steps: { id: string; title: string; result: StepResult }[]
  /** Under `--no-wait`: steps that were applied but not ready yet. Steps that need them were not started. */
  pending: string[]
  notStarted: string[]
  /** False if there was nothing to change. */
  changed: boolean
}
