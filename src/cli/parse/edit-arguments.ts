/** The older dialect of `update`: `replace node_count=3 labels/a=b`, modelled on Magnum's JSON patch. */
import { usage } from '../../core/errors.ts'
import type { PatchOperation } from '../../model/change.ts'
import { type ArgSpec, ValueProblem } from '../spec.ts'
import { parseLabels } from './labels.ts'
import { optionalArgs } from './values.ts'

const verbs = ['add', 'replace', 'remove'] as const
type Verb = (typeof verbs)[number]

const verb: ArgSpec<Verb | undefined> = {
  help: 'what to do with it',
  optional: true,
  choices: verbs,
  parse([given]) {
    if (given === undefined || (verbs as readonly string[]).includes(given)) return given as Verb | undefined
    throw new ValueProblem(`"${given}" is not one of ${verbs.join(', ')}`)
  },
}

export const editArguments = {
  op: verb,
  attributes: optionalArgs('what to change, as path=value; the path alone to remove it', { label: 'path=value' }),
}

/** Empty if the command line does not use this dialect. */
export function editsOf(args: { op: Verb | undefined; attributes: readonly string[] }): PatchOperation[] {
  const { op, attributes } = args
  if (op === undefined) return []
  if (attributes.length === 0) {
    throw usage(`"${op}" needs something to ${op}`, {
      hint: op === 'remove' ? 'name the path' : 'use the form path=value',
    })
  }
  return attributes.map(text => edit(op, text))
}

function edit(op: Verb, text: string): PatchOperation {
  const bare = text.replace(/^\//, '')
  if (op === 'remove') return { op, path: bare }
  const at = bare.indexOf('=')
  if (at <= 0) throw usage(`"${text}" is not of the form path=value`)
  const path = bare.slice(0, at)
  return { op, path, value: patchValue(path, bare.slice(at + 1)) }
}

/** Complete dictionaries are sent as text, the only form that the server accepts. */
const dictionaries = ['labels', 'health_status_reason', 'node_labels']

/** As upstream: values that are valid JSON are sent as JSON, others as text. Labels are always text: `true` must not become `True`. */
function patchValue(path: string, text: string): string | number | boolean {
  if (dictionaries.includes(path)) return JSON.stringify(dictionary(path, text))
  if (path.startsWith('labels/')) return text
  if (text === 'true' || text === 'false') return text === 'true'
  if (/^-?(?:0|[1-9]\d*)$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text)
  if (text === 'null') throw usage(`${path}: null is not a value`, { hint: `"remove ${path}" removes it` })
  const quoted = /^".*"$/s.test(text) ? asJson(text) : undefined
  return typeof quoted === 'string' ? quoted : text
}

function dictionary(path: string, text: string): Record<string, string> {
  const json = text.startsWith('{') ? asJson(text) : undefined
  if (json !== null && typeof json === 'object') {
    return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, String(value)]))
  }
  try {
    return text === '' ? {} : parseLabels([text])
  } catch (error) {
    if (error instanceof ValueProblem) throw usage(`${path}: ${error.message}`)
    throw error
  }
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
