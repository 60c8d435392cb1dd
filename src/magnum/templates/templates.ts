/** Cluster templates in Magnum. */

import { awaitAll } from '../../core/concurrency.ts'
import { type CoeError, conflict } from '../../core/errors.ts'
import { nextStep } from '../../core/next-step.ts'
import type { Templates } from '../../model/backend.ts'
import type { Call } from '../../model/call.ts'
import type { ClusterTemplate } from '../../model/cluster.ts'
import { listClusters } from '../../openstack/magnum-api/clusters.ts'
import * as api from '../../openstack/magnum-api/templates.ts'
import { refuseDuplicate } from '../clusters/refuse-duplicate.ts'
import { createOnce } from '../create-once.ts'
import { encodeBody } from '../encode.ts'
import type { MagnumContext } from '../magnum-context.ts'
import { resolving } from '../resolve.ts'
import { templateFields } from './encode.ts'
import { isInUse, updateTemplate } from './template-update.ts'

export function magnumTemplates(context: MagnumContext): Templates {
  const magnum = (call: Call) => context.session.magnum(call.signal)
  const list: Templates['list'] = async (call, query) => api.listTemplates(await magnum(call), query)

  const find = <T>(call: Call, ref: string, request: () => Promise<T>): Promise<T> =>
    resolving({ kind: 'cluster template', ref, where: context.where, candidates: () => list(call, {}) }, request)

  /** Templates of this project. Public templates of other projects may have the same name. */
  async function ours(call: Call, name: string): Promise<ClusterTemplate[]> {
    const [all, identity] = await awaitAll([list(call, {}), context.session.identity({ signal: call.signal })])
    const project = identity.project?.id
    return all.filter(t => t.name === name && (!project || !t.project_id || t.project_id === project))
  }

  return {
    list,
    get: (call, ref) => find(call, ref, async () => api.getTemplate(await magnum(call), ref)),
    async create(call, request, { duplicate }) {
      const { name } = request
      const created = await createOnce<ClusterTemplate>({
        what: `cluster template "${name}"`,
        where: context.where,
        duplicate,
        existing: () => ours(call, name),
        post: async () => api.createTemplate(await magnum(call), encodeBody(request, templateFields)),
      })
      if (created.created && duplicate !== 'allow') {
        await refuseDuplicate({
          what: `cluster template "${name}"`,
          uuid: created.object.uuid,
          named: () => ours(call, name),
          remove: uuid => nextStep('delete the later one', 'cluster template delete', uuid),
        })
      }
      return created
    },
    update: (call, ref, change) => find(call, ref, async () => updateTemplate(await magnum(call), ref, change)),
    async delete(call, ref) {
      try {
        await find(call, ref, async () => api.deleteTemplate(await magnum(call), ref))
      } catch (error) {
        throw isInUse(error) ? await usedBy(call, error as CoeError, ref) : error
      }
    },
  }

  async function usedBy(call: Call, error: CoeError, ref: string): Promise<CoeError> {
    const names = await clustersOf(call, ref).catch(() => [])
    const by = names.length ? `: ${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}` : ''
    return conflict(
      `cluster template "${ref}" is used by ${names.length || 'some'} cluster${names.length === 1 ? '' : 's'}${by}`,
      {
        hint: 'a template can be deleted after its clusters',
        next: [nextStep('hide it', 'cluster template update', ref, { option: 'hidden' })],
        cause: error,
        details: { ...error.details, clusters: names },
      },
    )
  }

  async function clustersOf(call: Call, ref: string): Promise<string[]> {
    const service = await magnum(call)
    const [template, clusters] = await awaitAll([api.getTemplate(service, ref), listClusters(service, {}, false)])
    return clusters.filter(c => c.cluster_template_id === template.uuid).map(c => c.name)
  }
}
