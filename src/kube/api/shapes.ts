/** The fields that coe relies on in answers of API servers: metadata of every object, and more of the kinds that it reads. */
import { flag, list, nullable, number, object, record, type Shape, scalar, text, textLike } from '../../core/shape.ts'
import { groupOf, type Kind } from './object.ts'

const each = (shape: Shape, ...names: string[]): Record<string, Shape> => Object.fromEntries(names.map(n => [n, shape]))
const some = (fields: Readonly<Record<string, Shape>>): Shape => object({}, fields)

const texts = record(text)
const manager = some({ ...each(text, 'manager', 'operation', 'subresource', 'apiVersion'), fieldsV1: object({}) })
const metadata = some({
  ...each(text, 'name', 'generateName', 'namespace', 'uid', 'resourceVersion', 'deletionTimestamp'),
  ...each(nullable(text), 'creationTimestamp'),
  ...each(nullable(texts), 'labels', 'annotations'),
  ...each(list(text), 'finalizers'),
  ...each(number, 'generation'),
  ownerReferences: list(object(each(text, 'kind', 'name', 'uid'))),
  managedFields: list(manager),
})

const conditions = { conditions: nullable(list(object(each(text, 'type', 'status'), each(text, 'reason', 'message')))) }
const containers = list(object({ name: text }, { image: text }))
const workload = {
  spec: some({
    replicas: number,
    selector: some({ matchLabels: texts }),
    template: some({ metadata: some({ annotations: nullable(texts) }), spec: some({ containers }) }),
  }),
  status: some({
    ...each(number, 'replicas', 'readyReplicas', 'updatedReplicas', 'availableReplicas', 'observedGeneration'),
    ...conditions,
  }),
}
const running = some({ ...each(text, 'reason', 'message'), exitCode: number })
const containerStatuses = list(
  object(
    { name: text },
    {
      restartCount: number,
      ready: flag,
      state: some({ waiting: running, terminated: running }),
      lastState: some({ terminated: running }),
    },
  ),
)
const reported = { status: some(conditions) }

const known: Readonly<Record<string, Readonly<Record<string, Shape>>>> = {
  '/ConfigMap': { data: texts },
  '/Secret': { data: texts, type: text },
  '/Namespace': { status: some({ phase: text, ...conditions }) },
  '/Pod': {
    spec: some({ nodeName: text, containers, volumes: list(object({ name: text })) }),
    status: some({
      ...each(text, 'phase', 'reason', 'message'),
      conditions: list(object(each(text, 'type', 'status'))),
      ...each(containerStatuses, 'containerStatuses', 'initContainerStatuses'),
    }),
  },
  '/Node': {
    spec: some({ unschedulable: flag, providerID: text, taints: list(object({ effect: text })) }),
    status: some({ addresses: list(object(each(text, 'type', 'address'))), nodeInfo: object({}), ...conditions }),
  },
  '/Service': {
    spec: some({
      ...each(text, 'clusterIP', 'type'),
      ports: list(object({ port: number }, { name: text, nodePort: number })),
    }),
    status: some({ loadBalancer: some({ ingress: list(some(each(text, 'ip', 'hostname'))) }) }),
  },
  '/Event': each(nullable(text), 'reason', 'message', 'lastTimestamp', 'eventTime'),
  'apps/Deployment': workload,
  'apps/StatefulSet': workload,
  'apps/DaemonSet': workload,
  'coordination.k8s.io/Lease': { spec: some(each(nullable(text), 'holderIdentity', 'renewTime')) },
  'apiextensions.k8s.io/CustomResourceDefinition': reported,
  'apiregistration.k8s.io/APIService': reported,
  'cluster.karmada.io/Cluster': {
    spec: some({ ...each(text, 'id', 'apiEndpoint', 'provider', 'region', 'zone'), zones: list(text) }),
    status: some({ kubernetesVersion: text, nodeSummary: record(scalar), ...conditions }),
  },
  'work.karmada.io/Work': {
    spec: some({ workload: some({ manifests: list(object({ metadata }, each(text, 'apiVersion', 'kind'))) }) }),
    ...reported,
  },
}

const made = new Map<string, Shape>()

/** The shape of one object of the kind, by itself or in a list, whose items leave out the kind. */
export function shapeOf({ apiVersion, kind }: Kind): Shape {
  const key = `${groupOf(apiVersion)}/${kind}`
  let shape = made.get(key)
  if (!shape) {
    shape = object({ metadata }, { ...each(text, 'apiVersion', 'kind'), ...known[key] })
    made.set(key, shape)
  }
  return shape
}

/** The shape of an answer that must be this object: the answer of another kind of server may look like an object. */
export const objectOf = (ref: Kind): Shape => {
  const shape = shapeOf(ref)
  const kind = textLike(`"${ref.kind}"`, value => value === ref.kind)
  return value => shape(value) ?? some({ kind })(value)
}

export const listOf = (kind: Kind): Shape =>
  object({ items: nullable(list(shapeOf(kind))) }, { metadata: some(each(text, 'resourceVersion', 'continue')) })

const eventTypes = ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR']
const eventType = textLike('the type of an event', value => eventTypes.includes(value))

export function eventOf(kind: Kind): Shape {
  const change = object({ type: eventType, object: shapeOf(kind) })
  const other = object({ type: eventType, object: object({}) })
  const bookmark = object({ object: object({ metadata }) })
  return value => {
    const type = (value as { type?: unknown } | null)?.type
    if (type === 'ERROR') return other(value)
    return type === 'BOOKMARK' ? bookmark(value) : change(value)
  }
}

export const statusShape = some({
  ...each(nullable(text), 'kind', 'message', 'reason', 'status'),
  code: number,
  details: nullable(
    some({
      ...each(text, 'name', 'kind', 'group'),
      retryAfterSeconds: number,
      causes: list(some(each(text, 'reason', 'message', 'field'))),
    }),
  ),
})

export const versionShape = object({ gitVersion: text }, each(text, 'major', 'minor', 'platform'))
export const reviewShape = object({ status: object({ allowed: flag }) })
export const selfShape = object({
  status: object({ userInfo: some({ ...each(text, 'username', 'uid'), groups: list(text) }) }),
})
export const kindsShape = some({ resources: nullable(list(object({ name: text, kind: text, namespaced: flag }))) })
export const anyAnswer = object({})
