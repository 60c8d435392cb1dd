import type { Controller } from '../../kube/controllers/host.ts'
import type { Json } from '../../kube/object.ts'
import { admitOwn } from '../admit-own.ts'
import { bootstrapIds } from '../names.ts'
import { ensureWork } from '../work-objects.ts'

const rbac = 'rbac.authorization.k8s.io'
const name = 'karmada-impersonator'

/** Lets the federation's users act as themselves on each member, through the proxy. */
export const unifiedAuth: Controller = ({ plane, watch, queue }) => {
  const enqueue = queue(async clusterName => {
    const cluster = plane.store.get(bootstrapIds.clusters, undefined, clusterName)
    const account = cluster?.spec.impersonatorSecretRef?.namespace
    if (!cluster || cluster.metadata.deletionTimestamp || !account) return
    const users = new Set<string>()
    const groups = new Set<string>()
    for (const binding of plane.store.list(`clusterrolebindings.${rbac}`)) {
      const role = plane.store.get(`clusterroles.${rbac}`, undefined, binding.roleRef.name)
      const allows = (role?.rules ?? []).some(
        (r: Json) => has(r.apiGroups, 'cluster.karmada.io') && has(r.resources, 'clusters/proxy'),
      )
      if (!allows) continue
      for (const subject of binding.subjects ?? []) {
        if (subject.kind === 'User') users.add(subject.name)
        if (subject.kind === 'Group') groups.add(subject.name)
      }
    }
    const rule = (resource: string, names: Set<string>) =>
      names.size
        ? [{ apiGroups: [''], resources: [resource], resourceNames: [...names].sort(), verbs: ['impersonate'] }]
        : []
    const role = {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRole',
      metadata: { name },
      rules: [...rule('users', users), ...rule('groups', groups)],
    }
    const binding = {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name },
      subjects: [{ kind: 'ServiceAccount', name, namespace: account }],
    }
    for (const manifest of [role, binding]) {
      const work = { cluster: clusterName, manifest, conflictResolution: 'overwrite' as const }
      await ensureWork(plane, work, admitOwn(plane, bootstrapIds.works))
    }
  })
  watch('namespaces', ({ type, object }) => {
    if (type === 'ADDED' && object.metadata.name.startsWith('karmada-es-'))
      enqueue(object.metadata.name.slice('karmada-es-'.length))
  })
  watch(`clusterrolebindings.${rbac}`, () => {
    for (const cluster of plane.store.list(bootstrapIds.clusters)) enqueue(cluster.metadata.name, 20)
  })
}

const has = (list: string[] | undefined, value: string) => list?.some(item => item === '*' || item === value) ?? false
