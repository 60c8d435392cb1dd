/** Names for completion, from servers and files, within a deadline and without a word on any stream. */
import { listClouds } from '../../config/clouds/clouds.ts'
import { loadKubeconfig } from '../../config/kubeconfig/kubeconfig.ts'
import type { World } from '../../core/world.ts'
import type { Backend } from '../../model/backend.ts'
import type { Call } from '../../model/call.ts'
import type { Drivers } from '../../model/drivers.ts'
import type { Completion } from '../spec.ts'
import type { NameSource, TypedLine } from './complete.ts'
import { keepNames } from './kept-names.ts'

export interface Sources {
  world: World
  backend(given: TypedLine): Promise<Backend>
  drivers(given: TypedLine): Promise<Drivers>
  deadlineMs: number
  /** Ends when the answer is printed: nothing may keep the shell waiting. */
  call: Call
}

export function nameSource(sources: Sources): NameSource {
  return async (kind, given) => {
    const patience = sources.world.clock.sleep(sources.deadlineMs, sources.call.signal).then(
      (): string[] => [],
      (): string[] => [],
    )
    const found = lookUp(sources, kind, given).catch((): string[] => [])
    return Promise.race([found, patience])
  }
}

async function lookUp(sources: Sources, kind: Completion, given: TypedLine): Promise<string[]> {
  const { world } = sources
  if (kind === 'cloud') return listClouds(world)
  if (kind === 'context') {
    return [...(await loadKubeconfig(world, { kubeconfig: given.options.get('kubeconfig') })).contexts.keys()]
  }
  if (kind === 'driver' || kind === 'engine') {
    const all = await (await sources.drivers(given)).list()
    return all.filter(d => kind === 'driver' || d.provides.includes('federations')).map(d => d.name)
  }
  return keepNames(world, { kind, given }, () => askBackend(sources, kind, given))
}

async function askBackend(sources: Sources, kind: Completion, given: TypedLine): Promise<string[]> {
  const { call } = sources
  const backend = await sources.backend(given)
  switch (kind) {
    case 'cluster':
      return (await backend.clusters.list(call, {})).map(c => c.name)
    case 'template':
      return ((await backend.templates?.list(call, {})) ?? []).map(t => t.name)
    case 'nodegroup': {
      const [cluster] = given.positionals
      return cluster === undefined ? [] : ((await backend.nodegroups?.list(call, cluster, {})) ?? []).map(n => n.name)
    }
    case 'federation':
      return ((await backend.federations?.list(call, {})) ?? []).map(f => f.name ?? f.uuid)
    case 'member': {
      const [federation] = given.positionals
      if (federation === undefined || !backend.federations) return []
      const { member_ids, member_names } = await backend.federations.get(call, federation)
      if (member_names) return member_names
      const clusters = await backend.clusters.list(call, {})
      return member_ids.map(id => clusters.find(c => c.uuid === id)?.name ?? id)
    }
    default:
      return []
  }
}
