/** The API of a connected cluster. access/connect.ts makes one. */
import type { CoeError } from '../../core/errors.ts'
import type { Request, Response } from '../../http/transport.ts'
import type { Kind, KubeList, KubeObject, ObjectRef } from './object.ts'

export interface RequestLimits {
  signal?: AbortSignal | undefined
  /** The limit for one request; does not apply to watches. */
  timeoutMs?: number
}

export interface Write extends RequestLimits {
  /** The server runs admission, validation and defaults, but does not store the object. */
  dryRun?: boolean
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

export type WatchEvent<T extends KubeObject = KubeObject> =
  /** All objects: at the start, and again when the server no longer knows the version to continue from. */
  { type: 'all'; items: T[] } | { type: 'set'; object: T } | { type: 'gone'; object: T }

export interface WatchOptions extends Selection {
  /** The version to start after. Absent: the watch lists first. With it, there is no `all` unless the server no longer knows it. */
  from?: string | undefined
  /** Called for temporary failures of the connection or server; the watch continues. */
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
  update<T extends KubeObject = KubeObject>(object: T, options?: Write & { subresource?: string }): Promise<T>
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
    options: RequestLimits & { container?: string; lines: number; previous?: boolean },
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
