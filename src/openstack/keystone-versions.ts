/** The documents in which Keystone says which versions of its API it has. */
import { parseBounded } from '../core/bounded-json.ts'
import { list, object, text } from '../core/shape.ts'

interface VersionDocument {
  id: string
  links?: { rel: string; href: string }[]
}

const versionShape = object({ id: text }, { links: list(object({ rel: text, href: text })) })
const versionsShape = object({}, { version: versionShape, versions: object({}, { values: list(versionShape) }) })
const bareVersions = object({ versions: list(versionShape) })

/** From any of the documents that Keystone has, at its root and below; undefined for anything else. */
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
