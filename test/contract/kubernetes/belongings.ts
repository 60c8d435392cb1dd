/** The contract's objects on a cluster: under unique names, and all removed at the end, whatever failed before. */
import { randomBytes } from 'node:crypto'
import { poll } from '../../../src/core/poll.ts'
import { systemClock } from '../../../src/core/time.ts'
import type { ClusterApi } from '../../../src/kube/api/cluster-api.ts'
import { decoded, type KubeObject, type ObjectRef, refOf } from '../../../src/kube/api/object.ts'
import { waitGone } from '../../../src/kube/waiting/wait.ts'
import { namespaceObject } from '../../support/kube.ts'
import { onRealServers } from './target.ts'

export interface Belongings {
  /** A unique name. */
  name(what: string): string
  /** Makes a namespace; returns its name. */
  namespace(what: string): Promise<string>
  /** Removes the object at the end, its finalizers first. For objects outside our namespaces, or that hold one. */
  note(object: KubeObject): KubeObject
  /** Makes a service account with a token in a Secret; returns the token. */
  account(namespace: string, name: string): Promise<string>
  removeAll(): Promise<void>
}

export function belongings(api: ClusterApi): Belongings {
  const prefix = `ct-${randomBytes(3).toString('hex')}`
  const namespaces: string[] = []
  const noted: ObjectRef[] = []
  return {
    name: what => `${prefix}-${what}`,
    async namespace(what) {
      const name = `${prefix}-${what}`
      namespaces.push(name)
      await api.create(namespaceObject(name))
      return name
    },
    note(object) {
      noted.push(refOf(object))
      return object
    },
    async account(namespace, name) {
      await api.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } })
      await api.create(tokenSecret(name, namespace))
      const token = async () => decoded(await api.get(refOf(tokenSecret(name, namespace))), 'token')
      return eventually(`the token of ${name}`, token)
    },
    async removeAll() {
      if (!onRealServers) return // closing the sandbox removes all
      for (const ref of noted) {
        const live = await api.get(ref)
        if (live?.metadata.finalizers?.length) {
          await api.patch(ref, { metadata: { finalizers: null } }, { type: 'merge' })
        }
        if (live) await api.delete(ref)
      }
      const refs = namespaces.map(name => refOf(namespaceObject(name)))
      await Promise.all(refs.map(ref => api.delete(ref)))
      await Promise.all([...noted, ...refs].map(ref => gone(api, ref)))
    },
  }
}

export const tokenSecret = (account: string, namespace: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  type: 'kubernetes.io/service-account-token',
  metadata: { name: `${account}-token`, namespace, annotations: { 'kubernetes.io/service-account.name': account } },
})

export const waitOptions = () => ({
  clock: systemClock,
  signal: new AbortController().signal,
  timeoutMs: onRealServers ? 240_000 : 60_000,
})

export const gone = (api: ClusterApi, ref: ObjectRef): Promise<void> => waitGone(api, ref, waitOptions())

/** Repeats a check until it returns a value, for effects that take time: on the sandbox, a moment. */
export const eventually = <T>(what: string, look: () => Promise<T | undefined>): Promise<T> =>
  poll(look, { clock: systemClock, timeoutMs: waitOptions().timeoutMs, intervalMs: 20, maxIntervalMs: 500, what })
