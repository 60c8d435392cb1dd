/** The commands that only Magnum supports; registry.ts adds them to the others. */
import type { Entry, Group } from '../cli/tree.ts'

const entry = (words: string, summary: string, load: Entry['load']): Entry => ({
  words,
  summary,
  load,
})

export const magnumGroups: readonly Group[] = [
  { words: 'cluster template', summary: 'Templates for clusters' },
  { words: 'nodegroup', summary: 'Node groups: nodes of one kind within a cluster' },
  { words: 'ca', summary: "A cluster's CA: show it, have it sign, replace it" },
  { words: 'credential', summary: 'The credentials of a cluster for its cloud' },
  { words: 'quotas', summary: 'How many clusters a project may have' },
  { words: 'service', summary: "Magnum's own processes" },
  { words: 'stats', summary: 'How many clusters and nodes there are' },
]

export const magnumEntries: readonly Entry[] = [
  entry(
    'cluster template create',
    'Create a cluster template',
    async () => (await import('./template/create.ts')).templateCreate,
  ),
  entry(
    'cluster template delete',
    'Delete cluster templates',
    async () => (await import('./template/delete.ts')).templateDelete,
  ),
  entry(
    'cluster template list',
    'List cluster templates',
    async () => (await import('./template/list.ts')).templateList,
  ),
  entry(
    'cluster template show',
    'Show a cluster template',
    async () => (await import('./template/show.ts')).templateShow,
  ),
  entry(
    'cluster template update',
    'Change a cluster template',
    async () => (await import('./template/update.ts')).templateUpdate,
  ),
  entry(
    'nodegroup create',
    'Add a node group to a cluster',
    async () => (await import('./nodegroup/create.ts')).nodegroupCreate,
  ),
  entry(
    'nodegroup delete',
    'Delete node groups of a cluster',
    async () => (await import('./nodegroup/delete.ts')).nodegroupDelete,
  ),
  entry(
    'nodegroup list',
    'List the node groups of a cluster',
    async () => (await import('./nodegroup/list.ts')).nodegroupList,
  ),
  entry('nodegroup show', 'Show a node group', async () => (await import('./nodegroup/show.ts')).nodegroupShow),
  entry('nodegroup update', 'Change a node group', async () => (await import('./nodegroup/update.ts')).nodegroupUpdate),
  entry('ca show', "Show a cluster's CA certificate", async () => (await import('./ca/show.ts')).caShow),
  entry('ca sign', "Have a cluster's CA sign a certificate request", async () => (await import('./ca/sign.ts')).caSign),
  entry('ca rotate', "Replace a cluster's CA certificate", async () => (await import('./ca/rotate.ts')).caRotate),
  entry(
    'credential rotate',
    'Replace the credentials of a cluster for its cloud',
    async () => (await import('./credential/rotate.ts')).credentialRotate,
  ),
  entry('quotas create', 'Set the quota of a project', async () => (await import('./quotas/create.ts')).quotasCreate),
  entry(
    'quotas delete',
    "Reset a project to the cloud's default quota",
    async () => (await import('./quotas/delete.ts')).quotasDelete,
  ),
  entry('quotas list', 'List quotas of projects', async () => (await import('./quotas/list.ts')).quotasList),
  entry('quotas show', 'Show the quota of a project', async () => (await import('./quotas/show.ts')).quotasShow),
  entry(
    'quotas update',
    'Change the quota of a project',
    async () => (await import('./quotas/update.ts')).quotasUpdate,
  ),
  entry('service list', "List Magnum's own processes", async () => (await import('./service/list.ts')).serviceList),
  entry('stats list', 'Count clusters and nodes', async () => (await import('./stats/list.ts')).statsList),
]
