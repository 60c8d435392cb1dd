/** Every command there is, as data; a command's file is loaded when it is meant. */
import type { Registry } from '../cli/tree.ts'

export const registry: Registry = {
  groups: [
    { words: '', summary: 'Make Kubernetes clusters, join them under one API, and take them apart again.' },
    { words: 'cluster', summary: 'Clusters: make, look at, resize, upgrade, delete' },
    { words: 'cluster template', summary: 'What clusters are made from' },
  ],
  entries: [
    {
      words: 'cluster list',
      summary: 'List clusters',
      load: async () => (await import('./cluster/list.ts')).clusterList,
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
