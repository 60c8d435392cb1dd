import { check, type Fields, type Values } from './fields.ts'
import { literalEval, repr, typeName } from './python.ts'
import { invalid, mandatory, refuse } from './refusals.ts'

export interface Operation {
  path: string
  op: 'add' | 'replace' | 'remove'
  value?: string | number | boolean
}

const pathPattern = /^(\/[\w-]+)+$/
const ops = ['replace', 'add', 'remove']

/** Attributes of all resources that a patch cannot change. */
const alwaysInternal = ['created_at', 'id', 'links', 'updated_at', 'uuid', 'project_id', 'user_id']

export interface PatchRules {
  internal?: readonly string[]
  /** Attributes that can be changed but not removed. */
  unremovable?: readonly string[]
}

/** The operations of a PATCH body; Magnum's own checks come before any is applied. */
export function readPatch(body: unknown, rules: PatchRules = {}): Operation[] {
  if (!Array.isArray(body)) throw invalid('patch', repr(body), `Value not a valid list: ${repr(body)}`)
  return body.map(item => readOperation(item, rules))
}

function readOperation(item: unknown, rules: PatchRules): Operation {
  if (typeName(item) !== 'dict') throw invalid('patch', repr(item), 'unable to convert to JsonPatchType')
  const values = item as Values
  const unknown = Object.keys(values).find(name => !['path', 'op', 'value'].includes(name))
  if (unknown !== undefined) throw refuse(400, `Unknown attribute for argument patch: ${unknown}`)
  const { path, op, value } = values
  if (typeof path !== 'string') throw mandatory('path')
  if (!pathPattern.test(path)) throw invalid('path', path, `Value should match the pattern ${pathSource}`)
  if (typeof op !== 'string') throw mandatory('op')
  if (!ops.includes(op)) throw invalid('op', op, `Value should be one of: ${ops.join(', ')}`)
  const simple = value === undefined || value === null || ['str', 'int', 'bool'].includes(typeName(value))
  if (!simple) {
    const got = `<class '${typeName(value)}'>`
    throw invalid('value', repr(value), `Wrong type. Expected '(<class 'str'>, <class 'int'>)', got '${got}'`)
  }
  const attribute = path.split('/')[1] as string
  if (alwaysInternal.includes(attribute) || rules.internal?.includes(attribute)) {
    throw refuse(400, `'${path}' is an internal attribute and can not be updated`)
  }
  if (op === 'remove' && rules.unremovable?.includes(attribute) && path === `/${attribute}`) {
    throw refuse(400, `'${path}' is a mandatory attribute and can not be removed`)
  }
  if (op !== 'remove' && (value === undefined || value === null)) {
    throw refuse(400, "'add' and 'replace' operations needs value")
  }
  const operation: Operation = { path, op: op as Operation['op'] }
  if (value !== undefined && value !== null) operation.value = value as string | number | boolean
  return operation
}

const pathSource = '^(/[\\w-]+)+$'

/** Complete dictionaries are sent as text: a Python literal. */
const literalAttributes = ['/labels', '/health_status_reason', '/node_labels', '/node_taints']

/** The document after all operations. One bad operation fails the complete patch, which the message quotes. */
export function applyPatch(
  document: Values,
  patch: readonly (Operation | { path: string; op: string; value?: unknown })[],
): Values {
  const next = structuredClone(document)
  const fail = (reason: string) => refuse(400, `Couldn't apply patch '${repr(patch)}'. Reason: ${reason}`)
  for (const { path, op, value } of patch) {
    const steps = path.split('/').slice(1)
    const [root = ''] = steps
    let wanted: unknown = value
    if (op === 'add' && steps.length === 1 && truthy(next[root])) {
      throw refuse(400, `The attribute ${path} has existed, please use 'replace' operation instead.`)
    }
    if (op === 'replace' && literalAttributes.includes(path) && typeof value === 'string') {
      try {
        wanted = literalEval(value)
      } catch (error) {
        throw fail((error as Error).message)
      }
    }
    change(next, steps, op, wanted, fail)
  }
  return next
}

/** Python's notion of truth: empty collections and zero are false. */
const truthy = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value)

function change(document: Values, steps: string[], op: string, value: unknown, fail: (reason: string) => Error): void {
  let place: Values | unknown[] = document
  for (const step of steps.slice(0, -1)) {
    const inner: unknown = (place as Values)[step]
    if (typeof inner !== 'object' || inner === null) throw fail(`member '${step}' not found in ${repr(place)}`)
    place = inner as Values
  }
  const last = steps.at(-1) as string
  if (Array.isArray(place)) {
    const at = last === '-' ? place.length : Number(last)
    if (!Number.isInteger(at) || at > place.length || (op !== 'add' && at >= place.length)) {
      throw fail(`can't ${op} outside of list`)
    }
    if (op === 'add') place.splice(at, 0, value)
    else if (op === 'replace') place[at] = value
    else place.splice(at, 1)
    return
  }
  if (op !== 'add' && !Object.hasOwn(place, last)) throw fail(`can't ${op} a non-existent object '${last}'`)
  if (op === 'remove') delete place[last]
  else Object.defineProperty(place, last, { value, writable: true, enumerable: true, configurable: true })
}

/** The attributes that a patch changed, after checking the bounds of each. */
export function changes(before: Values, after: Values, fields: Fields): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const changed: string[] = []
  for (const name of names) {
    const field = fields[name]
    if (field && name in after) check(name, field, after[name])
    if (repr(before[name]) !== repr(after[name])) changed.push(name)
  }
  const unknown = changed.find(name => !(name in fields) && !(name in before))
  if (unknown !== undefined) throw refuse(400, `Unknown attribute for argument patch: ${unknown}`)
  return changed
}
