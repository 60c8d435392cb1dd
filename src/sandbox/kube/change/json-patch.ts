import { KubeFailure } from '../failure.ts'
import { copy, isMap, type Json, same } from '../object.ts'

/** Real servers do not say what is wrong. */
const refused = () =>
  new KubeFailure(422, 'Invalid', 'the server rejected our request due to an error in our request', {})

interface Operation {
  op: 'add' | 'remove' | 'replace' | 'test' | 'move' | 'copy'
  path: string
  from?: string
  value?: Json
}

/** RFC 6902. Returns the patched value without changing the original. */
export function jsonPatch(target: Json, operations: Operation[]): Json {
  const root = { value: copy(target) }
  for (const operation of operations) {
    const { op, path } = operation
    if (op === 'test') {
      if (!same(read(root.value, path), operation.value)) {
        throw refused()
      }
    } else if (op === 'remove') remove(root.value, path)
    else if (op === 'add') add(root, path, operation.value)
    else if (op === 'replace') {
      if (path !== '') {
        read(root.value, path)
        remove(root.value, path)
      }
      add(root, path, operation.value)
    } else {
      const value = copy(read(root.value, operation.from ?? ''))
      if (op === 'move') remove(root.value, operation.from ?? '')
      add(root, path, value)
    }
  }
  return root.value
}

const split = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))

function read(value: Json, pointer: string): Json {
  let at = value
  for (const part of split(pointer)) {
    if (!isMap(at) && !Array.isArray(at)) throw refused()
    at = (at as Json)[part]
    if (at === undefined) throw refused()
  }
  return at
}

function parentOf(value: Json, pointer: string): [Json, string] {
  const parts = split(pointer)
  const last = parts.pop() ?? ''
  const prefix = parts.map(part => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  return [read(value, prefix), last]
}

function remove(value: Json, pointer: string): void {
  read(value, pointer)
  const [parent, last] = parentOf(value, pointer)
  if (Array.isArray(parent)) parent.splice(Number(last), 1)
  else delete parent[last]
}

function add(root: { value: Json }, pointer: string, value: Json): void {
  if (pointer === '') {
    root.value = copy(value)
    return
  }
  const [parent, last] = parentOf(root.value, pointer)
  if (Array.isArray(parent)) parent.splice(last === '-' ? parent.length : Number(last), 0, copy(value))
  else parent[last] = copy(value)
}
