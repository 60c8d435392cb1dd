import { requireNoun } from '../../cli/backend-nouns.ts'
import { ignoreNotFound, unlessMissing } from '../../cli/options/list-options.ts'
import { type Column, defineCommand } from '../../cli/spec.ts'
import { whichQuota } from './options.ts'

const columns: readonly Column[] = [
  { name: 'project_id', type: 'string', help: 'project of the quota; null if it had none' },
  { name: 'resource', type: 'string', help: 'counted resource', nullable: false },
  { name: 'result', type: 'string', help: 'deleted, or missing', nullable: false },
]

export const quotasDelete = defineCommand({
  words: 'quotas delete',
  summary: "Reset a project to the cloud's default quota",
  description: "Deletes the quota of a project; the cloud's default then applies again. For administrators.",
  needs: 'quotas',
  args: {},
  options: { ...whichQuota, ignoreNotFound },
  examples: [{ line: 'coe quotas delete --project-id 5b49a5a0', help: 'back to the default' }],
  output: { kind: 'text', columns },
  exits: { 3: 'it has no quota of its own', 4: 'only administrators may' },
  async run(context, { options }) {
    const quotas = await requireNoun(context, 'quotas')
    const { resource } = options
    let project: string | null = null
    const there = await unlessMissing(options.ignoreNotFound, async () => {
      project = await quotas.delete(context.call, options.projectId, resource)
    })
    if (there) {
      context.say(`Request to delete quota for project id ${project} and resource ${resource} has been accepted.`)
    }
    return { object: { project_id: project, resource, result: there ? 'deleted' : 'missing' } }
  },
})
