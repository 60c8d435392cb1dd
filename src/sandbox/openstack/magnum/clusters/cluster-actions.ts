import { type Answer, json } from '../../../http.ts'
import { readBody } from '../body.ts'
import { allow, type Call, findCluster } from '../context.ts'
import { readFields } from '../fields.ts'
import { findNodegroup } from '../nodegroups/nodegroups.ts'
import { repr } from '../python.ts'
import { refuse } from '../refusals.ts'
import { findTemplate } from '../templates/templates.ts'
import { since } from '../versions.ts'
import { zeroNodes } from './clusters.ts'
import * as conductor from './conductor.ts'

/** `POST /clusters/{c}/actions/resize` and `…/upgrade`. */

export async function resize(call: Call, ident: string): Promise<Answer> {
  const { state, minor } = call
  since(7, minor, 'resize')
  const fields = {
    node_count: { kind: 'int', mandatory: true, min: 0 },
    nodes_to_remove: { kind: 'list' },
    nodegroup: { kind: 'text', minLength: 1, maxLength: 255 },
  } as const
  const requested = readFields(
    'cluster_resize_req',
    await readBody(call, 'cluster_resize_req'),
    fields,
    state.release.number,
  )
  const count = requested.node_count as number
  if (count === 0 && minor < 10) throw zeroNodes()
  const cluster = findCluster(call, ident)
  allow(call, 'cluster:resize', 'member')
  const wanted = requested.nodegroup as string | undefined
  const group = wanted
    ? findNodegroup(cluster, wanted)
    : cluster.nodegroups.find(one => one.is_default && one.role === 'worker')
  if (!group) throw refuse(404, 'Nodegroup default-worker could not be found.')
  if (group.role === 'master') throw refuse(400, 'Resizing a master nodegroup is not supported.')
  const { min_node_count: min, max_node_count: max } = group
  if (count < min || (max !== null && count > max)) {
    const range = `min_node_count = ${repr(min)}, max_node_count = ${repr(max)}`
    throw refuse(400, `Resizing ${group.name} outside the allowed range: ${range}`)
  }
  if (/_COMPLETE$|^UPDATE_(FAILED|IN_PROGRESS)$/.test(cluster.status)) group.node_count = count
  conductor.update(state, cluster, [group], { resize: true })
  return json(202, { uuid: cluster.uuid })
}

/** A call rather than a cast: a refusal of the driver is returned at once, and marks the cluster as failed. */
export async function upgrade(call: Call, ident: string): Promise<Answer> {
  const { state, minor } = call
  since(7, minor, 'upgrade')
  const fields = {
    cluster_template: { kind: 'text', minLength: 1, maxLength: 255 },
    max_batch_size: { kind: 'int', min: 1 },
    nodegroup: { kind: 'text', minLength: 1, maxLength: 255 },
  } as const
  const requested = readFields(
    'cluster_upgrade_req',
    await readBody(call, 'cluster_upgrade_req'),
    fields,
    state.release.number,
  )
  const cluster = findCluster(call, ident, 'all')
  allow(call, 'cluster:upgrade', 'member')
  if (minor < 8) throw refuse(400, 'Cluster upgrade is not supported in the provided microversion.')
  if (requested.cluster_template === undefined) {
    throw refuse(500, "(sandbox.ProgrammingError) Error binding parameter 2: type 'UnsetType' is not supported")
  }
  const template = findTemplate(call, requested.cluster_template as string)
  const wanted = requested.nodegroup as string | undefined
  const group = wanted ? findNodegroup(cluster, wanted) : undefined
  if (group && !group.is_default && template.uuid !== cluster.cluster_template_id) {
    throw refuse(409, `Nodegroup ${group.name} can be upgraded only to the cluster's template.`)
  }
  if (!cluster.status.endsWith('_COMPLETE')) {
    throw refuse(400, `Upgrading a cluster when status is "${cluster.status}" is not supported.`)
  }
  const [now, then] = [cluster.labels.kube_tag, template.labels?.kube_tag]
  if (now !== undefined && then !== undefined && versionOf(then) < versionOf(now)) {
    const reason = 'Received invalid tag for kube_tag.'
    conductor.failUpdate(cluster, 'default-worker', reason, state.clock.now())
    throw refuse(400, reason)
  }
  cluster.cluster_template_id = template.uuid
  cluster.labels = { ...cluster.labels, ...template.labels }
  conductor.startUpdate(state, cluster, group ? [group] : cluster.nodegroups, () => {
    cluster.coe_version = cluster.labels.kube_tag ?? cluster.coe_version
  })
  return json(202, { uuid: cluster.uuid })
}

/** `v1.22.9` as one comparable number. */
const versionOf = (tag: string): number =>
  (tag.match(/\d+/g) ?? []).slice(0, 3).reduce((sum, part, at) => sum + Number(part) * 1000 ** (2 - at), 0)
