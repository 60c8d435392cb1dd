/** Every JSON that a test sees a command print is held against the schema that the docs publish. */

import { outputSchema, type Schema } from '../../src/cli/help/schema.ts'
import { globalOptions } from '../../src/cli/options/globals.ts'
import { anyOutputOptions } from '../../src/cli/options/output-options.ts'
import { findCommand } from '../../src/cli/tree.ts'
import { registry } from '../../src/wiring/registry.ts'

export async function checkJsonContract(argv: readonly string[], out: string): Promise<void> {
  if (!argv.some((w, i) => /^(-f|-o|--format|--output)$/.test(argv[i - 1] ?? '') && w === 'json')) return
  const { entry } = findCommand(registry, argv, [...Object.values(globalOptions), ...anyOutputOptions])
  const command = await entry?.load()
  const schema = command && outputSchema(command)
  if (!schema || out === '') return
  const chosen = argv.includes('-c') || argv.includes('--column')
  const problems = mismatches(JSON.parse(out), chosen ? withoutRequired(schema) : schema, '$')
  if (problems.length) throw new Error(`the JSON of "coe ${argv.join(' ')}" breaks its schema:\n${problems.join('\n')}`)
}

/** With -c, only what was chosen is there. */
function withoutRequired(schema: Schema): Schema {
  const { required: _, ...rest } = schema
  return 'items' in rest ? { ...rest, items: withoutRequired(rest.items as Schema) } : rest
}

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value

/** The part of JSON Schema that our schemas use. */
function mismatches(value: unknown, schema: Schema, path: string): string[] {
  const type = typeOf(value)
  const types = schema.type === undefined ? undefined : [schema.type].flat()
  if (types && !types.includes(type) && !(type === 'integer' && types.includes('number'))) {
    return [`${path} is ${type}, not ${types.join(' or ')}`]
  }
  if (Array.isArray(value))
    return value.flatMap((v, i) => (schema.items ? mismatches(v, schema.items as Schema, `${path}[${i}]`) : []))
  if (type !== 'object') return []
  const object = value as Record<string, unknown>
  const properties = (schema.properties ?? {}) as Record<string, Schema>
  const missing = ((schema.required ?? []) as string[]).filter(k => !(k in object)).map(k => `${path}.${k} is missing`)
  const wrong = Object.entries(properties).flatMap(([k, s]) =>
    k in object ? mismatches(object[k], s, `${path}.${k}`) : [],
  )
  return [...missing, ...wrong]
}
