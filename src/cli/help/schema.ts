/** The JSON that a command prints, as a JSON Schema: from its columns, so that the contract and the program cannot part. */
import { type AnyCommand, type Column, columnHelp } from '../spec.ts'

export type Schema = Readonly<Record<string, unknown>>

/** Undefined where a command has no JSON, or one without fixed fields. */
export function outputSchema(command: AnyCommand): Schema | undefined {
  const { output } = command
  if (output.kind === 'raw' || !output.columns) return undefined
  const object = {
    type: 'object',
    properties: Object.fromEntries(output.columns.map(c => [c.name, columnSchema(c)])),
    required: output.columns.filter(c => !c.long && !c.extra).map(c => c.name),
    // fields are only ever added, so readers must let others pass
    additionalProperties: true,
  }
  const list = output.kind === 'list' || output.many === true
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `coe ${command.words}`,
    ...(list ? { type: 'array', items: object } : object),
  }
}

function columnSchema(column: Column): Schema {
  const { nullable = true, type } = column
  const description = columnHelp(column)
  if (type === 'any') return { description }
  return { description, type: nullable ? [type, 'null'] : type }
}
