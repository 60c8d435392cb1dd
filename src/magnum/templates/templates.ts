/** Cluster templates that Magnum keeps. */
import { together } from '../../core/concurrency.ts'
import { type CoeError, conflict } from '../../core/errors.ts'
import { shellWord } from '../../core/shell-word.ts'
import type { Templates } from '../../model/backend.ts'
import type { ClusterTemplate } from '../../model/cluster.ts'
import { listClusters } from '../../openstack/magnum-api/clusters.ts'
import * as api from '../../openstack/magnum-api/templates.ts'
import { refuseSecond } from '../clusters/made-twice.ts'
import { createOnce } from '../create-once.ts'
import type { MagnumContext } from '../magnum-context.ts'
import { resolving } from '../resolve.ts'
import { isInUse, updateTemplate } from './template-update.ts'

export function magnumTemplates(context: MagnumContext): Templates {
  const magnum = () => context.session.magnum()
  const list: Templates['list'] = async query => api.listTemplates(await magnum(), query)

  const find = <T>(ref: string, request: () => Promise<T>): Promise<T> =>
    resolving({ kind: 'cluster template', ref, where: context.where, candidates: () => list({}) }, request)

  /** Public ones of others, and for an administrator everybody's, may be called what they like. */
  async function ours(name: string): Promise<ClusterTemplate[]> {
    const [all, identity] = await together([list({}), context.session.identity()])
    const project = identity.project?.id
    return all.filter(t => t.name === name && (!project || !t.project_id || t.project_id === project))
  }

  return {
    list,
    get: ref => find(ref, async () => api.getTemplate(await magnum(), ref)),
    async create(fields, { duplicate }) {
      const name = fields.name as string
      const created = await createOnce<ClusterTemplate>({
        what: `cluster template "${name}"`,
        where: context.where,
        duplicate,
        existing: () => ours(name),
        post: async () => api.createTemplate(await magnum(), fields),
      })
      if (created.created && duplicate !== 'allow') {
        await refuseSecond({
          what: `cluster template "${name}"`,
          uuid: created.object.uuid,
          named: () => ours(name),
          remove: uuid => `coe cluster template delete ${uuid}`,
        })
      }
      return created
    },
    update: (ref, change) => find(ref, async () => updateTemplate(await magnum(), ref, change)),
    async delete(ref) {
      try {
        await find(ref, async () => api.deleteTemplate(await magnum(), ref))
      } catch (error) {
        throw isInUse(error) ? await usedBy(error as CoeError, ref) : error
      }
    },
  }

  async function usedBy(error: CoeError, ref: string): Promise<CoeError> {
    const names = await clustersOf(ref).catch(() => [])
    const by = names.length ? `: ${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}` : ''
    return conflict(
      `cluster template "${ref}" is used by ${names.length || 'some'} cluster${names.length === 1 ? '' : 's'}${by}`,
      {
        hint: `a template can be deleted after its clusters; "coe cluster template update ${shellWord(ref)} --hidden" puts it out of sight`,
        cause: error,
        details: { ...error.details, clusters: names },
      },
    )
  }

  async function clustersOf(ref: string): Promise<string[]> {
    const service = await magnum()
    const [template, clusters] = await together([api.getTemplate(service, ref), listClusters(service, {}, false)])
    return clusters.filter(c => c.cluster_template_id === template.uuid).map(c => c.name)
  }
}
