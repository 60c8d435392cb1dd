/** What can be done with a connected cluster. connect.ts makes one; client.ts is behind it. */
import type { CoeError } from '../../core/errors.ts'
import type { Request, Response } from '../../http/transport.ts'
import type { Kind, KubeList, KubeObject, ObjectRef } from './object.ts'

export interface RequestLimits {
  signal?: AbortSignal | undefined
  /** For all of one request; watches know silence only. */
  timeoutMs?: number
}

export interface Write extends RequestLimits {
  /** The server does all but store it: admission, validation, defaults. */
  dryRun?: boolean
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

export type WatchEvent<T extends KubeObject = KubeObject> =
  /** Everything there is: at the start, and again after the server forgot where we were. */
  { type: 'all'; items: T[] } | { type: 'set'; object: T } | { type: 'gone'; object: T }

export interface WatchOptions extends Selection {
  /** Absent: lists first. With it, changes after it are told, and no `all` unless the server forgot. */
  from?: string | undefined
  /** The connection or the server failed in a way that passes; the watch goes on. */
  onTrouble?(error: CoeError): void
}

export interface AccessQuestion {
  verb: string
  group?: string
  resource: string
  subresource?: string
  namespace?: string | undefined
  name?: string
}

export interface Identity {
  username: string
  uid?: string
  groups: string[]
}

export interface ServerVersion {
  major: string
  minor: string
  gitVersion: string
  platform?: string
}

export interface KnownKind extends Kind {
  plural: string
  namespaced: boolean
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
  update<T extends KubeObject = KubeObject>(object: T, options?: Write & { subresource?: string }): Promise<T>
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
    options: RequestLimits & { container?: string; lines: number; previous?: boolean },
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
