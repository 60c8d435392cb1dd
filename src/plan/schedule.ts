/** Starts each step as early as its needs allow, and no further step after a failure. */
import { resultOf } from '../core/concurrency.ts'

interface Node {
  id: string
  needs?: readonly string[]
}

export interface Scheduled {
  /** In the order in which they ended. */
  done: string[]
  /** Started, but not ready: steps that need them are not started. */
  pending: string[]
  /** In the order of the nodes, so that the same failures give the same message each time. */
  failed: { id: string; error: unknown }[]
  notStarted: string[]
}

/** Runs `work` for each node. After a failure, running nodes may finish, but no other starts. Never rejects. */
export async function schedule<N extends Node>(
  nodes: readonly N[],
  work: (node: N) => Promise<'done' | 'pending'>,
  mayStart: () => boolean,
): Promise<Scheduled> {
  checkNeeds(nodes)
  const result: Scheduled = { done: [], pending: [], failed: [], notStarted: [] }
  const promises = new Map<string, Promise<boolean>>()
  const start = (node: N): Promise<boolean> => {
    const known = promises.get(node.id)
    if (known !== undefined) return known
    const needed = (node.needs ?? []).map(id => start(nodes.find(n => n.id === id) as N))
    const promise = Promise.all(needed).then(async fine => {
      if (!fine.every(Boolean) || result.failed.length > 0 || !mayStart()) {
        result.notStarted.push(node.id)
        return false
      }
      const ended = await resultOf(work(node))
      if (ended.ok) result[ended.value].push(node.id)
      else result.failed.push({ id: node.id, error: ended.error })
      return ended.ok && ended.value === 'done'
    })
    promises.set(node.id, promise)
    return promise
  }
  await Promise.all(nodes.map(start))
  const place = new Map(nodes.map((node, i) => [node.id, i]))
  result.failed.sort((one, other) => (place.get(one.id) ?? 0) - (place.get(other.id) ?? 0))
  return result
}

/** Checks the plan before anything runs. A failure here is a bug of the plan's author. */
function checkNeeds(nodes: readonly Node[]): void {
  const byId = new Map(nodes.map(n => [n.id, n]))
  if (byId.size !== nodes.length) throw new Error('two steps of the plan have the same id')
  const state = new Map<string, 'open' | 'fine'>()
  const visit = (node: Node, path: string[]): void => {
    if (state.get(node.id) === 'fine') return
    if (state.get(node.id) === 'open')
      throw new Error(`steps need each other in a cycle: ${[...path, node.id].join(' → ')}`)
    state.set(node.id, 'open')
    for (const id of node.needs ?? []) {
      const needed = byId.get(id)
      if (!needed) throw new Error(`step ${node.id} needs ${id}, which is not in the plan`)
      visit(needed, [...path, node.id])
    }
    state.set(node.id, 'fine')
  }
  for (const node of nodes) visit(node, [])
}
