/** The parts of Magnum's answers that coe relies on. Fields that are only shown, and unknown ones, may be anything. */
import { flag, list, nullable, number, object, record, type Shape, scalar, text } from '../../core/shape.ts'

/** Optional fields: absent in older releases and short lists, or null. */
const each = (shape: Shape, ...names: string[]): Record<string, Shape> =>
  Object.fromEntries(names.map(name => [name, nullable(shape)]))

const times = each(text, 'created_at', 'updated_at')
const labels = record(scalar)

/** The answer to an accepted request. */
export const accepted = object({ uuid: text })

export const clusterShape = object(
  { uuid: text },
  {
    ...each(text, 'name', 'status', 'status_reason', 'health_status', 'cluster_template_id', 'keypair', 'api_address'),
    ...each(text, 'coe_version', 'container_version', 'stack_id', 'cluster_id', 'project_id', 'user_id'),
    ...each(number, 'node_count', 'master_count'),
    ...each(labels, 'labels', 'labels_overridden', 'labels_added', 'labels_skipped', 'faults'),
    ...each(object({}), 'health_status_reason'),
    ...each(list(text), 'node_addresses', 'master_addresses'),
    ...times,
  },
)

export const templateShape = object(
  { uuid: text },
  {
    ...each(text, 'name', 'coe', 'image_id', 'tags', 'project_id', 'user_id'),
    ...each(labels, 'labels'),
    ...each(flag, 'tls_disabled', 'public', 'hidden'),
    ...times,
  },
)

export const nodegroupShape = object(
  { uuid: text, name: text },
  {
    ...each(text, 'role', 'status', 'status_reason'),
    ...each(number, 'node_count', 'min_node_count', 'max_node_count'),
    ...each(flag, 'is_default'),
    ...each(labels, 'labels'),
    ...times,
  },
)

export const federationShape = object(
  { uuid: text },
  {
    ...each(text, 'name', 'status', 'status_reason', 'hostcluster_id', 'project_id'),
    ...each(list(text), 'member_ids'),
    ...each(labels, 'properties'),
    ...times,
  },
)

export const certificateShape = object({ pem: text }, each(text, 'cluster_uuid', 'csr'))

export const quotaShape = object(
  { project_id: text, resource: text, hard_limit: number },
  { ...each(number, 'id'), ...times },
)

export const serviceShape = object(
  { id: number },
  { ...each(text, 'host', 'binary', 'state', 'disabled_reason'), ...each(flag, 'disabled'), ...times },
)

export const statsShape = object({ clusters: number, nodes: number })
