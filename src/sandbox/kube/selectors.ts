import { badRequest } from './failure.ts'
import type { Json, KubeObject } from './object.ts'
import { idOf, type ResourceType } from './resource-types.ts'

export type Matcher = (object: KubeObject) => boolean

interface Requirement {
  key: string
  operator: '=' | '!=' | 'in' | 'notin' | 'exists' | 'absent'
  values: string[]
}

const name = '[A-Za-z0-9](?:[-A-Za-z0-9_./]*[A-Za-z0-9])?'
const setBased = new RegExp(`^(${name})\\s+(in|notin)\\s*\\(([^()]*)\\)$`)
const equality = new RegExp(`^(${name})\\s*(==|=|!=)\\s*([-A-Za-z0-9_.]*)$`)
const existence = new RegExp(`^(!?)\\s*(${name})$`)

function parseRequirement(text: string): Requirement {
  const set = setBased.exec(text)
  if (set) {
    const values = (set[3] as string).split(',').map(value => value.trim())
    return { key: set[1] as string, operator: set[2] as 'in' | 'notin', values }
  }
  const equal = equality.exec(text)
  if (equal) return { key: equal[1] as string, operator: equal[2] === '!=' ? '!=' : '=', values: [equal[3] as string] }
  const exists = existence.exec(text)
  if (exists) return { key: exists[2] as string, operator: exists[1] ? 'absent' : 'exists', values: [] }
  const found = text.split(/\s+/)[1] ?? text
  throw badRequest(`unable to parse requirement: found '${found}', expected: in, notin, =, ==, !=, gt, lt`)
}

function meets({ key, operator, values }: Requirement, labels: Record<string, string>): boolean {
  const value = labels[key]
  switch (operator) {
    case '=':
    case 'in':
      return value !== undefined && values.includes(value)
    case '!=':
    case 'notin':
      return value === undefined || !values.includes(value)
    case 'exists':
      return value !== undefined
    case 'absent':
      return value === undefined
  }
}

/** The `labelSelector` of a request: `app=web,tier in (a,b),!old`. */
function parseLabelSelector(text: string): (labels: Record<string, string>) => boolean {
  const parts = text.split(/,(?![^()]*\))/).map(part => part.trim())
  const requirements = parts.filter(part => part !== '').map(parseRequirement)
  return labels => requirements.every(requirement => meets(requirement, labels))
}

/** The `LabelSelector` of an object: matchLabels and matchExpressions. */
export function matchesLabelSelector(selector: Json, labels: Record<string, string> = {}): boolean {
  if (!selector) return false
  const operators: Record<string, Requirement['operator']> = {
    In: 'in',
    NotIn: 'notin',
    Exists: 'exists',
    DoesNotExist: 'absent',
  }
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) if (labels[key] !== value) return false
  return (selector.matchExpressions ?? []).every((expression: Json) =>
    meets(
      { key: expression.key, operator: operators[expression.operator] ?? '=', values: expression.values ?? [] },
      labels,
    ),
  )
}

const fields: Record<string, Record<string, (object: KubeObject) => string>> = {
  pods: { 'spec.nodeName': o => o.spec?.nodeName ?? '', 'status.phase': o => o.status?.phase ?? '' },
  secrets: { type: o => o.type ?? '' },
  namespaces: { 'status.phase': o => o.status?.phase ?? '' },
  events: {
    'involvedObject.kind': o => o.involvedObject?.kind ?? '',
    'involvedObject.namespace': o => o.involvedObject?.namespace ?? '',
    'involvedObject.name': o => o.involvedObject?.name ?? '',
    'involvedObject.uid': o => o.involvedObject?.uid ?? '',
    reason: o => o.reason ?? '',
    type: o => o.type ?? '',
  },
}

function parseFieldSelector(text: string, type: ResourceType): Matcher {
  const known: Record<string, (object: KubeObject) => string> = {
    'metadata.name': o => o.metadata.name,
    ...(type.namespaced ? { 'metadata.namespace': (o: KubeObject) => o.metadata.namespace ?? '' } : {}),
    ...fields[idOf(type)],
  }
  const tests = text
    .split(',')
    .filter(part => part !== '')
    .map(part => {
      const match = /^([^=!]+)(==|=|!=)(.*)$/.exec(part)
      if (!match) throw badRequest(`invalid selector: '${text}'; can't understand '${part}'`)
      const [, field, operator, value] = match as unknown as [string, string, string, string]
      const read = known[field]
      if (!read) {
        const names = Object.keys(known)
          .map(k => JSON.stringify(k))
          .join(', ')
        throw badRequest(`"${field}" is not a known field selector: only ${names}`)
      }
      return (object: KubeObject) => (read(object) === value) === (operator !== '!=')
    })
  return object => tests.every(test => test(object))
}

export function matcherOf(query: URLSearchParams, type: ResourceType): Matcher {
  const labels = parseLabelSelector(query.get('labelSelector') ?? '')
  const byField = parseFieldSelector(query.get('fieldSelector') ?? '', type)
  return object => labels(object.metadata.labels ?? {}) && byField(object)
}
