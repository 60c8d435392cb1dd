/** Keystone's documents about the versions of its API. */
import { parseBounded } from '../core/bounded-json.ts'
import { list, object, text } from '../core/shape.ts'

interface VersionDocument {
  id: string
  links?: { rel: string; href: string }[]
}

const versionShape = object({ id: text }, { links: list(object({ rel: text, href: text })) })
const versionsShape = object({}, { version: versionShape, versions: object({}, { values: list(versionShape) }) })
const bareVersions = object({ versions: list(versionShape) })

/** Finds v3 in any of Keystone's version documents; undefined for other text. */
export function v3Of(answer: string): VersionDocument | undefined {
  let body: unknown
  try {
    body = parseBounded(answer)
  } catch {
    return undefined
  }
  let all: VersionDocument[] = []
  if (bareVersions(body) === undefined) all = (body as { versions: VersionDocument[] }).versions
  else if (versionsShape(body) === undefined) {
    const { version, versions } = body as { version?: VersionDocument; versions?: { values?: VersionDocument[] } }
    all = versions?.values ?? (version ? [version] : [])
  }
  return all.find(v => v.id.startsWith('v3'))
}
