/** Checks by the schema of a CustomResourceDefinition: types, required fields and limits. */
import type { ControlPlane } from '../control-plane.ts'
import { type Cause, invalidValue, requiredValue, unsupportedValue } from '../failure.ts'
import { isMap, type Json, type KubeObject } from '../object.ts'
import { idOf, type ResourceType } from '../resource-types.ts'

export function schemaProblems(plane: ControlPlane, type: ResourceType, object: KubeObject): Cause[] {
  const crd = plane.store.get('customresourcedefinitions.apiextensions.k8s.io', undefined, idOf(type))
  const version = crd?.spec.versions.find((v: Json) => v.name === type.version)
  const properties: Record<string, Json> = version?.schema?.openAPIV3Schema?.properties ?? {}
  // the server itself checks apiVersion, kind and metadata
  const own = Object.entries(properties).filter(([name]) => !['apiVersion', 'kind', 'metadata'].includes(name))
  return own.flatMap(([name, schema]) => (object[name] === undefined ? [] : problems(schema, object[name], name)))
}

function problems(schema: Json, value: Json, path: string): Cause[] {
  if (value === null && schema.nullable) return []
  const is = typeName(value)
  if (schema.type && !schema['x-kubernetes-int-or-string'] && !fits(schema.type, is)) {
    const why = `${path} in body must be of type ${schema.type}: ${JSON.stringify(is)}`
    return [{ ...invalidValue(path, is, why), reason: 'FieldValueTypeInvalid' }]
  }
  return [...limits(schema, value, path), ...inside(schema, value, path)]
}

function inside(schema: Json, value: Json, path: string): Cause[] {
  if (Array.isArray(value)) {
    return schema.items ? value.flatMap((item, i) => problems(schema.items, item, `${path}[${i}]`)) : []
  }
  if (!isMap(value)) return []
  const missing = (schema.required ?? []).filter((name: string) => value[name] === undefined)
  return [
    ...missing.map((name: string) => requiredValue(`${path}.${name}`)),
    ...Object.entries(value as Record<string, Json>).flatMap(([name, item]) => {
      const known = schema.properties?.[name] ?? (isMap(schema.additionalProperties) && schema.additionalProperties)
      return known ? problems(known, item, `${path}.${name}`) : []
    }),
  ]
}

function limits(schema: Json, value: Json, path: string): Cause[] {
  const causes: Cause[] = []
  const refuse = (why: string) => causes.push(invalidValue(path, value, `${path} in body should ${why}`))
  if (schema.enum && !schema.enum.includes(value)) causes.push(unsupportedValue(path, value, schema.enum))
  if (value < schema.minimum) refuse(`be greater than or equal to ${schema.minimum}`)
  if (value > schema.maximum) refuse(`be less than or equal to ${schema.maximum}`)
  if (typeof value !== 'string') return causes
  if (value.length < schema.minLength) refuse(`be at least ${schema.minLength} chars long`)
  if (schema.pattern && !new RegExp(schema.pattern).test(value)) refuse(`match '${schema.pattern}'`)
  return causes
}

const fits = (wanted: string, is: string): boolean => wanted === is || (wanted === 'number' && is === 'integer')

function typeName(value: Json): string {
  if (Array.isArray(value)) return 'array'
  if (value === null) return 'null'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}
