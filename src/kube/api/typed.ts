/** Types of the well-known kinds: those of client-node, but with times as text, as they are on the wire. */
import type * as k8s from '@kubernetes/client-node'
import type { KubeObject, ObjectMeta } from './object.ts'

type Wire<T> = T extends Date
  ? string
  : T extends readonly (infer U)[]
    ? Wire<U>[]
    : T extends object
      ? WireFields<T>
      : T
type WireFields<T> = { [K in keyof T]: Wire<T[K]> }

type Typed<T> = WireFields<Omit<T, 'apiVersion' | 'kind' | 'metadata'>> & {
  apiVersion: string
  kind: string
  metadata: ObjectMeta
}

export type ConfigMap = Typed<k8s.V1ConfigMap>
export type DaemonSet = Typed<k8s.V1DaemonSet>
export type Deployment = Typed<k8s.V1Deployment>
export type KubeEvent = Typed<k8s.CoreV1Event>
export type Lease = Typed<k8s.V1Lease>
export type Namespace = Typed<k8s.V1Namespace>
export type Node = Typed<k8s.V1Node>
export type Pod = Typed<k8s.V1Pod>
export type Secret = Typed<k8s.V1Secret>
export type Service = Typed<k8s.V1Service>
export type StatefulSet = Typed<k8s.V1StatefulSet>
export type StorageClass = Typed<k8s.V1StorageClass>

/** Gives an object the type of its kind. */
export const as = <T>(object: KubeObject): T => object as unknown as T
