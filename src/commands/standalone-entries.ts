/** The commands that only standalone mode supports; registry.ts adds them to the others. */
import type { Entry } from '../cli/tree.ts'

const entry = (words: string, summary: string, load: Entry['load']): Entry => ({
  words,
  summary,
  load,
})

export const standaloneEntries: readonly Entry[] = [
  entry(
    'federation status',
    'Check the health of a federation',
    async () => (await import('./federation/status.ts')).federationStatus,
  ),
  entry(
    'federation members',
    'List the members of a federation',
    async () => (await import('./federation/member-list.ts')).federationMembers,
  ),
  entry(
    'federation resume',
    'Finish an unfinished change of a federation',
    async () => (await import('./federation/resume.ts')).federationResume,
  ),
  entry(
    'federation kubeconfig',
    'Get a kubeconfig for a federation',
    async () => (await import('./federation/kubeconfig.ts')).federationKubeconfig,
  ),
  entry(
    'federation images',
    'List the images that a federation needs',
    async () => (await import('./federation/images.ts')).federationImages,
  ),
  entry('init', 'Create a federation, as kubefed does', async () => (await import('./kubefed/init.ts')).init),
  entry(
    'join',
    'Join a cluster to a federation, as kubefed does',
    async () => (await import('./kubefed/join.ts')).join,
  ),
  entry(
    'unjoin',
    'Remove a cluster from a federation, as kubefed does',
    async () => (await import('./kubefed/unjoin.ts')).unjoin,
  ),
]
