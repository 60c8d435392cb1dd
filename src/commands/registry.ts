/** All commands, as data. A command's file is loaded only when the command is needed. */
import type { Registry } from '../cli/tree.ts'
import { driverEntries, driverGroup } from './driver-entries.ts'
import { magnumEntries, magnumGroups } from './magnum-entries.ts'
import { setupEntries, setupGroups } from './setup-entries.ts'
import { standaloneEntries } from './standalone-entries.ts'

// Each group is one file, because another file costs more time to load than another command in it.
const cluster = () => import('./cluster/commands.ts')
const auth = () => import('./auth/kubectl-token.ts')
const federation = () => import('./federation/commands.ts')
const sandbox = () => import('./sandbox/commands.ts')
const completion = () => import('./completion/completion.ts')
const help = () => import('./help/help.ts')

export const registry: Registry = {
  groups: [
    {
      words: '',
      summary: 'Make Kubernetes clusters, join them under one API, and take them apart again.',
      examples: [
        { line: 'coe sandbox shell', help: 'try everything, in a simulated cloud on this machine' },
        { line: 'coe cluster list', help: 'the clusters of your cloud, or the contexts of your kubeconfig' },
        { line: 'coe --standalone federation create myfed --host c1', help: 'one API over your clusters' },
        { line: 'coe doctor', help: 'when something does not work' },
      ],
    },
    { words: 'cluster', summary: 'Clusters: create, show, resize, upgrade, delete' },
    ...magnumGroups,
    {
      words: 'federation',
      summary: 'Federations: clusters joined under one API',
      examples: [
        {
          line: 'coe --standalone federation create myfed --host c1',
          help: 'from contexts of your kubeconfig; no cloud needed',
        },
        { line: 'coe --standalone federation join myfed c2 c3', help: 'add c2 and c3 as members' },
        { line: 'kubectl --context myfed get clusters', help: 'use its API' },
        { line: 'coe --standalone federation status myfed', help: 'check its health' },
      ],
    },
    driverGroup,
    ...setupGroups,
    { words: 'sandbox', summary: 'A simulated cloud on this machine, to try things and to test scripts' },
  ],
  entries: [
    {
      words: 'cluster list',
      summary: 'List clusters',
      load: async () => (await cluster()).clusterList,
    },
    {
      words: 'cluster show',
      summary: 'Show a cluster',
      load: async () => (await cluster()).clusterShow,
    },
    {
      words: 'cluster create',
      summary: 'Create a cluster',
      load: async () => (await cluster()).clusterCreate,
    },
    {
      words: 'cluster update',
      summary: 'Change a cluster',
      load: async () => (await cluster()).clusterUpdate,
    },
    {
      words: 'cluster resize',
      summary: 'Change how many nodes a cluster has',
      load: async () => (await cluster()).clusterResize,
    },
    {
      words: 'cluster upgrade',
      summary: 'Move a cluster to another template',
      load: async () => (await cluster()).clusterUpgrade,
    },
    {
      words: 'cluster delete',
      summary: 'Delete clusters',
      load: async () => (await cluster()).clusterDelete,
    },
    {
      words: 'cluster wait',
      summary: 'Wait until a cluster reaches a state',
      load: async () => (await cluster()).clusterWait,
    },
    {
      words: 'cluster config',
      summary: 'Get a kubeconfig for a cluster',
      load: async () => (await cluster()).clusterConfig,
    },
    {
      words: 'auth kubectl-token',
      summary: 'Log kubectl in with an OpenStack token',
      hidden: true,
      load: async () => (await auth()).authKubectlToken,
    },
    {
      words: 'federation create',
      summary: 'Create a federation on a host cluster',
      load: async () => (await federation()).federationCreate,
    },
    {
      words: 'federation delete',
      summary: 'Delete federations',
      load: async () => (await federation()).federationDelete,
    },
    {
      words: 'federation update',
      summary: 'Change the metadata of a federation',
      load: async () => (await federation()).federationUpdate,
    },
    {
      words: 'federation list',
      summary: 'List federations',
      load: async () => (await federation()).federationList,
    },
    {
      words: 'federation show',
      summary: 'Show a federation',
      load: async () => (await federation()).federationShow,
    },
    {
      words: 'federation join',
      summary: 'Join clusters to a federation',
      load: async () => (await federation()).federationJoin,
    },
    {
      words: 'federation unjoin',
      summary: 'Remove clusters from a federation',
      load: async () => (await federation()).federationUnjoin,
    },
    {
      words: 'federation wait',
      summary: 'Wait until a federation reaches a state',
      load: async () => (await federation()).federationWait,
    },
    ...standaloneEntries,
    ...magnumEntries,
    ...driverEntries,
    ...setupEntries,
    {
      words: 'sandbox run',
      summary: 'Run a command in a simulated cloud',
      load: async () => (await sandbox()).sandboxRun,
    },
    {
      words: 'sandbox shell',
      summary: 'Open a shell in a simulated cloud',
      load: async () => (await sandbox()).sandboxShell,
    },
    {
      words: 'sandbox start',
      summary: 'Start a simulated cloud in the background',
      load: async () => (await sandbox()).sandboxStart,
    },
    {
      words: 'sandbox stop',
      summary: 'Stop the simulated cloud that runs in the background',
      load: async () => (await sandbox()).sandboxStop,
    },
    {
      words: 'sandbox serve',
      summary: 'Run a simulated cloud until terminated',
      hidden: true,
      load: async () => (await sandbox()).sandboxServe,
    },
    {
      words: 'completion',
      summary: 'Print a script that completes coe in your shell',
      load: async () => (await completion()).completion,
    },
    {
      words: 'help',
      summary: 'Show help on a command or a topic',
      load: async () => (await help()).help,
    },
  ],
}
