/** What federations are called, and what their things are called on the host. */
import { createHash } from 'node:crypto'
import { usage } from '../../core/errors.ts'
import type { Kind, ObjectRef } from '../../kube/api/object.ts'
import { federationLabel, uuidLabel } from '../../kube/ownership/federation-marks.ts'
import type { Owner } from '../../plan/step.ts'

export {
  federationLabel,
  markerName,
  markerNamespace,
  recordLabel,
  recordName,
  uuidLabel,
} from '../../kube/ownership/federation-marks.ts'

/** On a namespace: what its federation is to be, until there is a record that says it. */
export const askedAnnotation = 'coe/asked'

export const memberRecordName = (member: string): string => `coe-member-${member}`

export const configMapKind: Kind = { apiVersion: 'v1', kind: 'ConfigMap' }
export const namespaceRef = (name: string): ObjectRef => ({ apiVersion: 'v1', kind: 'Namespace', name })
export const defaultNamespace = (federation: string): string => `coe-fed-${federation}`

export const labelsOf = (name: string, uuid: string): Record<string, string> => ({
  [federationLabel]: name,
  [uuidLabel]: uuid,
})

export const ownerOf = (name: string, uuid: string, adopt = false): Owner => ({
  what: 'federation',
  labels: labelsOf(name, uuid),
  key: uuidLabel,
  ...(adopt ? { adopt } : {}),
})

const longest = 40

export function checkFederationName(name: string): void {
  if (name.length <= longest && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(name)) return
  throw usage(`"${name}" cannot be a federation's name`, {
    hint: `lowercase letters, digits and dashes, at most ${longest}, with a letter or digit at both ends`,
  })
}

/** The server would say so as well, but only at the first write: after a dry run that found nothing. */
export function checkNamespace(name: string): void {
  if (name.length <= 63 && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(name)) return
  throw usage(`"${name}" cannot be a namespace`, {
    hint: 'lowercase letters, digits and dashes, at most 63, with a letter or digit at both ends',
  })
}

export const looksLikeUuid = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text)

interface MemberNames {
  memberNameProblem(name: string): string | undefined
}

/** @param where how another name is said there */
export function checkMemberName(
  name: string,
  { memberNameProblem }: MemberNames,
  where = (other: string) => `name it with --cluster-name ${other}`,
): void {
  const problem = memberNameProblem(name)
  if (problem === undefined) return
  throw usage(`"${name}" cannot be a member's name: ${problem}`, {
    hint: where(suggestedName(name, memberNameProblem)),
  })
}

/**
 * Of a cluster's own name, which may be anything, a name that a federation can have for it. Where it is too long its end
 * stays, which tells more than its beginning does, and a few characters that tell it from others of that end.
 * @param problem undefined: the name will do
 */
export function suggestedName(name: string, problem: (name: string) => string | undefined): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '')
  if (problem(plain) === undefined) return plain
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 6)
  const end = plain.slice(-30).replace(/^[^-]*-(?=.{8})|^-+/, '')
  const short = [end || 'cluster', digest].join('-')
  return problem(short) === undefined ? short : `cluster-${digest}`
}
