/** JSON Schemas of the commands' output, made from their columns, so that contract and program always agree. */
import { type AnyCommand, type Column, columnHelp } from '../spec.ts'

export type Schema = Readonly<Record<string, unknown>>

/** Undefined if the command prints no JSON, or JSON without fixed fields. */
export function outputSchema(command: AnyCommand): Schema | undefined {
  const { output } = command
  if (output.kind === 'raw' || !output.columns) return undefined
  const object = {
    type: 'object',
    properties: Object.fromEntries(output.columns.map(c => [c.name, columnSchema(c)])),
    required: output.columns.filter(c => !c.long && !c.extra).map(c => c.name),
    // later versions may add fields, so readers must accept unknown ones
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
