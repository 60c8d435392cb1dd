import { type Answer, json } from '../../http.ts'
import { createCertificate, rotateCa, showCertificate } from './certificates.ts'
import { resize, upgrade } from './clusters/cluster-actions.ts'
import { createCluster, deleteCluster, listClusters, patchCluster, showCluster } from './clusters/clusters.ts'
import type { Call } from './context.ts'
import { rotateCredentials } from './credentials.ts'
import {
  createFederation,
  deleteFederation,
  listFederations,
  patchFederation,
  showFederation,
} from './federations/federations.ts'
import { notUuid } from './listing.ts'
import {
  createNodegroup,
  deleteNodegroup,
  listNodegroups,
  patchNodegroup,
  showNodegroup,
} from './nodegroups/nodegroups.ts'
import { createQuota, deleteQuota, listQuotas, patchQuota, showQuota } from './quotas.ts'
import { framework, missingArgument } from './refusals.ts'
import { listServices } from './services.ts'
import { stats } from './stats.ts'
import { createTemplate, deleteTemplate, listTemplates, patchTemplate, showTemplate } from './templates/templates.ts'

type Result = Answer | Promise<Answer>

const notAllowed = (...methods: string[]) => framework(405, '', { Allow: methods.join(', ') })
const restful = () => notAllowed('DELETE', 'GET', 'PATCH', 'POST')

interface Collection {
  argument: string
  list: (call: Call, detail: boolean) => Result
  create: (call: Call) => Result
  show: (call: Call, ident: string) => Result
  patch: (call: Call, ident: string) => Result
  remove: (call: Call, ident: string) => Result
}

const collections: Record<string, Collection> = {
  clusters: {
    argument: 'cluster_ident',
    list: listClusters,
    create: createCluster,
    show: showCluster,
    patch: patchCluster,
    remove: deleteCluster,
  },
  clustertemplates: {
    argument: 'cluster_template_ident',
    list: listTemplates,
    create: createTemplate,
    show: showTemplate,
    patch: patchTemplate,
    remove: deleteTemplate,
  },
  federations: {
    argument: 'federation_ident',
    list: listFederations,
    create: createFederation,
    show: showFederation,
    patch: patchFederation,
    remove: deleteFederation,
  },
}

/** Routes by the first segment, the resource. */
export function route(call: Call, [resource = '', ...rest]: string[]): Result {
  const { method } = call.request
  if (resource === 'clusters' && rest.length >= 2) return belowCluster(call, rest)
  const collection = collections[resource]
  if (collection) return restfully(call, collection, rest)
  switch (resource) {
    case 'certificates':
      return certificates(call, rest)
    case 'quotas':
      return quotas(call, rest)
    case 'stats':
    case 'mservices':
      if (method !== 'GET') throw notAllowed('GET')
      if (rest.length) throw framework(404)
      return resource === 'stats' ? stats(call) : listServices(call)
    case 'credentials':
      if (call.state.release.max < 12) break
      if (method !== 'PATCH' || rest.length !== 1) throw notAllowed('PATCH')
      return rotateCredentials(call, rest[0] as string)
    case 'bays':
    case 'baymodels':
      if (call.state.release.number < 17 && method === 'GET' && !rest.length) return json(200, { [resource]: [] })
  }
  if (method !== 'GET') throw notAllowed('GET')
  throw framework(404)
}

function restfully(call: Call, collection: Collection, [ident, ...rest]: string[]): Result {
  const { method } = call.request
  if (method === 'GET') {
    if (ident === undefined) return collection.list(call, false)
    if (rest[0] === 'detail') throw notUuid(ident) // Magnum takes the segment before `detail` for a marker
    if (rest.length) throw framework(404)
    return ident === 'detail' ? collection.list(call, true) : collection.show(call, ident)
  }
  if (method === 'POST') {
    if (ident !== undefined) throw framework(404)
    return collection.create(call)
  }
  if (method !== 'PATCH' && method !== 'DELETE') throw restful()
  if (ident === undefined) throw missingArgument(collection.argument)
  if (rest.length) throw framework(404)
  return method === 'PATCH' ? collection.patch(call, ident) : collection.remove(call, ident)
}

function belowCluster(call: Call, [cluster = '', kind, what, ...rest]: string[]): Result {
  const { method } = call.request
  if (kind === 'detail' && method === 'GET') throw notUuid(cluster)
  if (rest.length || !['actions', 'nodegroups'].includes(kind ?? '')) throw framework(404)
  if (kind === 'actions') {
    if (method !== 'POST' || (what !== 'resize' && what !== 'upgrade')) throw notAllowed()
    return what === 'resize' ? resize(call, cluster) : upgrade(call, cluster)
  }
  if (what === undefined) {
    if (method === 'GET') return listNodegroups(call, cluster)
    if (method === 'POST') return createNodegroup(call, cluster)
  } else {
    if (method === 'GET') return showNodegroup(call, cluster, what)
    if (method === 'PATCH') return patchNodegroup(call, cluster, what)
    if (method === 'DELETE') return deleteNodegroup(call, cluster, what)
  }
  throw restful()
}

function certificates(call: Call, [ident, ...rest]: string[]): Result {
  const { method } = call.request
  if (rest.length) throw framework(404)
  if (method === 'POST' && ident === undefined) return createCertificate(call)
  if (method === 'GET' && ident !== undefined) return showCertificate(call, ident)
  if (method === 'PATCH' && ident !== undefined) return rotateCa(call, ident)
  throw notAllowed('GET', 'PATCH', 'POST')
}

function quotas(call: Call, [project, resource, ...rest]: string[]): Result {
  const { method } = call.request
  if (rest.length) throw framework(404)
  if (project === undefined) {
    if (method === 'GET') return listQuotas(call)
    if (method === 'POST') return createQuota(call)
    throw restful()
  }
  if (resource === undefined) throw missingArgument('resource')
  if (method === 'GET') return showQuota(call, project, resource)
  if (method === 'PATCH') return patchQuota(call, project, resource)
  if (method === 'DELETE') return deleteQuota(call, project, resource)
  throw restful()
}
