import { type Cause, invalidValue, requiredValue } from './failure.ts'
import type { Metadata } from './object.ts'

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const serviceLabel = /^[a-z]([-a-z0-9]*[a-z0-9])?$/
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const qualifiedName = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/
const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/

const subdomainText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const labelText =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
const serviceText =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
const keyText =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
const valueText =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
const tooLong = (most: number) => `must be no more than ${most} characters`

/** Why a name is invalid for this resource; undefined if it is valid. */
function nameProblem(id: string, name: string): string | undefined {
  if (id.endsWith('.rbac.authorization.k8s.io')) {
    // these may contain colons; only names that would break a path are refused
    return name === '.' || name === '..' || /[/%]/.test(name) ? `may not contain '/' or '%'` : undefined
  }
  if (id === 'apiservices.apiregistration.k8s.io') return undefined // has its own rule: the core group's name ends with a dot
  if (id === 'services') return name.length > 63 ? tooLong(63) : serviceLabel.test(name) ? undefined : serviceText
  if (id === 'namespaces') {
    if (name.includes('.')) return 'must not contain dots'
    return name.length > 63 ? tooLong(63) : label.test(name) ? undefined : labelText
  }
  if (name.length > 253) return tooLong(253)
  return subdomain.test(name) ? undefined : subdomainText
}

function keyProblem(key: string): string | undefined {
  const slash = key.indexOf('/')
  const name = slash === -1 ? key : key.slice(slash + 1)
  if (slash !== -1 && !subdomain.test(key.slice(0, slash))) return `prefix part ${subdomainText}`
  if (name === '') return 'name part must be non-empty'
  if (name.length > 63) return `name part ${tooLong(63)}`
  return qualifiedName.test(name) ? undefined : keyText
}

export function metadataProblems(id: string, metadata: Metadata): Cause[] {
  const causes: Cause[] = []
  if (!metadata.name) causes.push(requiredValue('metadata.name', 'name or generateName is required'))
  else {
    const problem = nameProblem(id, metadata.name)
    if (problem) causes.push(invalidValue('metadata.name', metadata.name, problem))
  }
  causes.push(...labelProblems('metadata.labels', metadata.labels))
  for (const key of Object.keys(metadata.annotations ?? {})) {
    const problem = keyProblem(key.toLowerCase())
    if (problem) causes.push(invalidValue('metadata.annotations', key, problem))
  }
  for (const finalizer of metadata.finalizers ?? []) {
    const problem = keyProblem(finalizer)
    if (problem) causes.push(invalidValue('metadata.finalizers', finalizer, problem))
  }
  return causes
}

export function labelProblems(field: string, labels: Record<string, string> | undefined): Cause[] {
  const causes: Cause[] = []
  for (const [key, value] of Object.entries(labels ?? {})) {
    const problem = keyProblem(key)
    if (problem) causes.push(invalidValue(field, key, problem))
    if (value.length > 63) causes.push(invalidValue(field, value, tooLong(63)))
    else if (!labelValue.test(value)) causes.push(invalidValue(field, value, valueText))
  }
  return causes
}

export const isDnsLabel = (name: string): boolean => name.length <= 63 && label.test(name)
