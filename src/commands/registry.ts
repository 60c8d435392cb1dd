/** Every command there is, as data; a command's file is loaded when it is meant. */
import type { Registry } from '../cli/tree.ts'
import { magnumEntries, magnumGroups } from './magnum-entries.ts'

export const registry: Registry = {
  groups: [
    { words: '', summary: 'Make Kubernetes clusters, join them under one API, and take them apart again.' },
    { words: 'cluster', summary: 'Clusters: make, look at, resize, upgrade, delete' },
    ...magnumGroups,
    { words: 'federation', summary: 'Federations: clusters joined under one API' },
    { words: 'sandbox', summary: 'A simulated cloud on this machine, to try things and to test scripts' },
  ],
  entries: [
    {
      words: 'cluster list',
      summary: 'List clusters',
      load: async () => (await import('./cluster/list.ts')).clusterList,
    },
    {
      words: 'cluster show',
      summary: 'Show a cluster',
      load: async () => (await import('./cluster/show.ts')).clusterShow,
    },
    {
      words: 'cluster create',
      summary: 'Create a cluster',
      load: async () => (await import('./cluster/create.ts')).clusterCreate,
    },
    {
      words: 'cluster update',
      summary: 'Change a cluster',
      load: async () => (await import('./cluster/update.ts')).clusterUpdate,
    },
    {
      words: 'cluster resize',
      summary: 'Change how many nodes a cluster has',
      load: async () => (await import('./cluster/resize.ts')).clusterResize,
    },
    {
      words: 'cluster upgrade',
      summary: 'Move a cluster to another template',
      load: async () => (await import('./cluster/upgrade.ts')).clusterUpgrade,
    },
    {
      words: 'cluster delete',
      summary: 'Delete clusters',
      load: async () => (await import('./cluster/delete.ts')).clusterDelete,
    },
    {
      words: 'cluster wait',
      summary: 'Wait until a cluster is as wanted',
      load: async () => (await import('./cluster/wait.ts')).clusterWait,
    },
    {
      words: 'cluster config',
      summary: 'Get a kubeconfig for a cluster',
      load: async () => (await import('./cluster/config.ts')).clusterConfig,
    },
    {
      words: 'auth kubectl-token',
      summary: 'Log kubectl in with an OpenStack token',
      hidden: true,
      load: async () => (await import('./auth/kubectl-token.ts')).authKubectlToken,
    },
    {
      words: 'federation create',
      summary: 'Make a federation in a cluster',
      load: async () => (await import('./federation/create.ts')).federationCreate,
    },
    {
      words: 'federation delete',
      summary: 'Delete federations',
      load: async () => (await import('./federation/delete.ts')).federationDelete,
    },
    {
      words: 'federation update',
      summary: 'Change the metadata of a federation',
      load: async () => (await import('./federation/update.ts')).federationUpdate,
    },
    {
      words: 'federation list',
      summary: 'List federations',
      load: async () => (await import('./federation/list.ts')).federationList,
    },
    {
      words: 'federation show',
      summary: 'Show a federation',
      load: async () => (await import('./federation/show.ts')).federationShow,
    },
    {
      words: 'federation join',
      summary: 'Make clusters members of a federation',
      load: async () => (await import('./federation/join.ts')).federationJoin,
    },
    {
      words: 'federation unjoin',
      summary: 'Take clusters out of a federation',
      load: async () => (await import('./federation/unjoin.ts')).federationUnjoin,
    },
    ...magnumEntries,
    {
      words: 'sandbox run',
      summary: 'Run a command in a simulated cloud',
      load: async () => (await import('./sandbox/run.ts')).sandboxRun,
    },
    {
      words: 'sandbox shell',
      summary: 'Open a shell in a simulated cloud',
      load: async () => (await import('./sandbox/shell.ts')).sandboxShell,
    },
    {
      words: 'sandbox start',
      summary: 'Start a simulated cloud in the background',
      load: async () => (await import('./sandbox/start.ts')).sandboxStart,
    },
    {
      words: 'sandbox stop',
      summary: 'Stop the simulated cloud that runs in the background',
      load: async () => (await import('./sandbox/stop.ts')).sandboxStop,
    },
    {
      words: 'sandbox serve',
      summary: 'Be a simulated cloud until terminated',
      hidden: true,
      load: async () => (await import('./sandbox/serve.ts')).sandboxServe,
    },
    {
      words: 'completion',
      summary: 'A script that completes coe in your shell',
      load: async () => (await import('./completion/completion.ts')).completion,
    },
    {
      words: 'help',
      summary: 'Help on a command or a topic',
      load: async () => (await import('./help/help.ts')).help,
    },
  ],
}
