/** Names for completion, from servers and files, within a deadline and without any output. */
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
  backend(line: TypedLine): Promise<Backend>
  drivers(line: TypedLine): Promise<Drivers>
  deadlineMs: number
  /** Ends when the answer is printed, so that nothing keeps the shell waiting. */
  call: Call
}

export function nameSource(sources: Sources): NameSource {
  return async (kind, line) => {
    const patience = sources.world.clock.sleep(sources.deadlineMs, sources.call.signal).then(
      (): string[] => [],
      (): string[] => [],
    )
    const found = lookUp(sources, kind, line).catch((): string[] => [])
    return Promise.race([found, patience])
  }
}

async function lookUp(sources: Sources, kind: Completion, line: TypedLine): Promise<string[]> {
  const { world } = sources
  if (kind === 'cloud') return listClouds(world)
  if (kind === 'context') {
    return [...(await loadKubeconfig(world, { kubeconfig: line.options.get('kubeconfig') })).contexts.keys()]
  }
  if (kind === 'driver' || kind === 'engine') {
    const all = await (await sources.drivers(line)).list()
    return all.filter(d => kind === 'driver' || d.provides.includes('federations')).map(d => d.name)
  }
  return keepNames(world, { kind, line }, () => askBackend(sources, kind, line))
}

async function askBackend(sources: Sources, kind: Completion, line: TypedLine): Promise<string[]> {
  const { call } = sources
  const backend = await sources.backend(line)
  switch (kind) {
    case 'cluster':
      return (await backend.clusters.list(call, {})).map(c => c.name)
    case 'template':
      return ((await backend.templates?.list(call, {})) ?? []).map(t => t.name)
    case 'nodegroup': {
      const [cluster] = line.positionals
      return cluster === undefined ? [] : ((await backend.nodegroups?.list(call, cluster, {})) ?? []).map(n => n.name)
    }
    case 'federation':
      return ((await backend.federations?.list(call, {})) ?? []).map(f => f.name ?? f.uuid)
    case 'member': {
      const [federation] = line.positionals
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
