import { offered } from '../../cli/offered.ts'
import { ignoreNotFound, unlessMissing } from '../../cli/options/list-options.ts'
import { type Column, defineCommand } from '../../cli/spec.ts'
import { whichQuota } from './options.ts'

const columns: readonly Column[] = [
  { name: 'project_id', type: 'string', help: 'whose quota it was; null where it had none' },
  { name: 'resource', type: 'string', help: 'what is counted', nullable: false },
  { name: 'result', type: 'string', help: 'deleted, or missing', nullable: false },
]

export const quotasDelete = defineCommand({
  words: 'quotas delete',
  summary: "Put a project back on the cloud's default quota",
  description:
    "Takes away the quota that a project has of its own; the cloud's default applies again. For administrators.",
  needs: 'quotas',
  args: {},
  options: { ...whichQuota, ignoreNotFound },
  examples: [{ line: 'coe quotas delete --project-id 5b49a5a0', help: 'the default again' }],
  output: { kind: 'text', columns },
  exits: { 3: 'it has none of its own', 4: 'only administrators may' },
  async run(context, { options }) {
    const quotas = await offered(context, 'quotas')
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
