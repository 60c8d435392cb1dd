/** The marks of federations on clusters, as the guard of a deletion finds them: by label, in all namespaces at once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClusterApi } from '../../../src/kube/api/cluster-api.ts'
import type { KubeObject } from '../../../src/kube/api/object.ts'
import {
  markerName,
  markerNamespace,
  readMarks,
  readMarksByName,
  recordName,
} from '../../../src/kube/ownership/federation-marks.ts'
import { configMap, failureOf } from '../../support/kube.ts'
import { belongings, eventually } from './belongings.ts'
import { target } from './target.ts'

const clusters = await target()
const { host } = clusters
const { api } = host
const ours = belongings(api)
let place: string
let nobody: ClusterApi
let reader: ClusterApi
let named: ClusterApi
const seesMarker = ours.name('sees-marker')
const seesNames = ours.name('sees-names')
const rbac = 'rbac.authorization.k8s.io'
const inKubeSystem = (kind: string, rest: object): KubeObject => ({
  apiVersion: `${rbac}/v1`,
  kind,
  metadata: { name: seesMarker, namespace: markerNamespace },
  ...rest,
})

const labelled = (name: string, record: string): KubeObject => {
  const map = configMap(name, place)
  const labels = { 'coe/record': record, 'coe/federation': 'marks', 'coe/federation-uuid': place }
  return { ...map, metadata: { ...map.metadata, labels } }
}

beforeAll(async () => {
  if (!clusters.there) return
  place = await ours.namespace('marks')
  nobody = host.as(await ours.account(place, 'nobody'))
  reader = host.as(await ours.account(place, 'reader'))
  await api.create(labelled('coe-federation', 'federation'))
  await api.create(labelled('coe-member-c2', 'member'))
  await api.create(labelled('somebody-elses', 'federation'))
  const rules = [{ apiGroups: [''], resources: ['configmaps'], resourceNames: [markerName], verbs: ['get'] }]
  await api.apply(ours.note(inKubeSystem('Role', { rules })))
  const binding = inKubeSystem('RoleBinding', {
    roleRef: { apiGroup: rbac, kind: 'Role', name: seesMarker },
    subjects: [{ kind: 'ServiceAccount', namespace: place, name: 'reader' }],
  })
  await api.apply(ours.note(binding))
  named = host.as(await ours.account(place, 'named'))
  const names = { apiGroups: [''], resources: ['configmaps'], resourceNames: [recordName, markerName] }
  const metadata = { name: seesNames }
  const apiVersion = `${rbac}/v1`
  await api.apply(
    ours.note({ apiVersion, kind: 'ClusterRole', metadata, rules: [{ ...names, verbs: ['get', 'list'] }] }),
  )
  await api.apply(
    ours.note({
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata,
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: seesNames },
      subjects: [{ kind: 'ServiceAccount', namespace: place, name: 'named' }],
    }),
  )
})
afterAll(async () => {
  await ours.removeAll()
  await clusters.close()
})

describe.runIf(clusters.there)('marks of federations', () => {
  it('are found by a set of labels in all namespaces, in one request', async () => {
    const labels = `coe/record in (federation,membership),coe/federation-uuid=${place}`
    const { items } = await api.list({ apiVersion: 'v1', kind: 'ConfigMap' }, { labels })
    expect(items.map(item => item.metadata.name).sort()).toEqual(['coe-federation', 'somebody-elses'])
  })

  it('count only under their own names', async () => {
    const { hosts } = await readMarks(api, {})
    expect(hosts?.filter(h => h.uuid === place)).toEqual([{ federation: 'marks', uuid: place, namespace: place }])
  })

  it('are known, except for hosts, to a user who may see only the marker', async () => {
    const marks = await eventually('the role to hold', () => readMarks(reader, {}).catch(() => undefined))
    expect(marks.hosts).toBeUndefined()
  })

  it('are found by name by a user who may read nothing else', async () => {
    const look = () => readMarksByName(named, {}).catch(() => undefined)
    const { hosts, all } = await eventually('the role to hold', look)
    expect(hosts?.filter(h => h.uuid === place)).toEqual([{ federation: 'marks', uuid: place, namespace: place }])
    expect(all).toBe(true)
    expect((await failureOf(named.list({ apiVersion: 'v1', kind: 'ConfigMap' }, {}))).message).toContain(
      'list configmaps',
    )
  })

  it('by name, are known in part to a user who may see only the marker, and refused without a role', async () => {
    const look = () => readMarksByName(reader, {}).catch(() => undefined)
    expect(await eventually('the role to hold', look)).toMatchObject({ hosts: undefined, all: false })
    expect((await failureOf(readMarksByName(nobody, {}))).message).toContain('get configmaps in namespace')
  })

  it('are refused without a role', async () => {
    expect((await failureOf(readMarks(nobody, {}))).message).toContain(
      `get configmaps in namespace "${markerNamespace}"`,
    )
  })
})
