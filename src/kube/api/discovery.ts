/** Finds the path of a kind. For kinds that are not in the table, asks the server once per group and version. */
import { failed } from '../../core/errors.ts'
import { shareWork } from '../../core/shared-work.ts'
import { groupOf, type Kind, type ObjectRef } from './object.ts'
import { knownResource, type Resource } from './resources.ts'

/** Returns the parsed resource list of `/apis/GROUP/VERSION`, or undefined if the server does not have that version. */
export type AskResources = (path: string, signal: AbortSignal | undefined) => Promise<ResourceList | undefined>

export interface ResourceList {
  resources?: { name: string; kind: string; namespaced: boolean }[]
}

export interface Discovery {
  /** Undefined when the kind is not served. */
  find(kind: Kind, signal?: AbortSignal): Promise<Resource | undefined>
  /** Adds kinds to the table, so that the server need not be asked. */
  learn(kinds: readonly (Kind & Resource)[]): void
  /** Asks the server even if the kind is in the table. */
  serves(kind: Kind, signal?: AbortSignal): Promise<boolean>
  /** The path of a collection: of one namespace, or of all. Throws when the kind is not served. */
  collection(kind: Kind, namespace: string | undefined, signal?: AbortSignal): Promise<string>
  object(ref: ObjectRef, signal?: AbortSignal): Promise<string>
}

const rootOf = (apiVersion: string): string =>
  groupOf(apiVersion) === '' ? `/api/${apiVersion}` : `/apis/${apiVersion}`

export function makeDiscovery(serverName: string, ask: AskResources): Discovery {
  const lists = new Map<string, ResourceList>()
  const asking = new Map<string, (signal: AbortSignal | undefined) => Promise<ResourceList | undefined>>()
  const listOf = (apiVersion: string, signal: AbortSignal | undefined) => {
    const asked = asking.get(apiVersion) ?? shareWork(own => ask(rootOf(apiVersion), own))
    asking.set(apiVersion, asked)
    return asked(signal)
  }

  async function ofServer({ apiVersion, kind }: Kind, signal?: AbortSignal): Promise<Resource | undefined> {
    const list = lists.get(apiVersion) ?? (await listOf(apiVersion, signal))
    const found = list?.resources?.find(r => r.kind === kind && !r.name.includes('/'))
    // failures and absent kinds are not cached: definitions may be created during this run
    if (list && found) lists.set(apiVersion, list)
    else lists.delete(apiVersion)
    return found && { plural: found.name, namespaced: found.namespaced }
  }

  const learnt = new Map<string, Resource>()
  const find = async (kind: Kind, signal?: AbortSignal): Promise<Resource | undefined> =>
    knownResource(groupOf(kind.apiVersion), kind.kind) ??
    learnt.get(`${kind.apiVersion} ${kind.kind}`) ??
    (await ofServer(kind, signal))

  async function need(kind: Kind, signal?: AbortSignal): Promise<Resource> {
    const resource = await find(kind, signal)
    if (resource) return resource
    throw failed(`${serverName} has no kind ${kind.kind} in ${kind.apiVersion}`, {
      hint: 'the server is older or newer than expected, or the definition was removed',
      details: { service: 'kubernetes', status: 404, kind: kind.kind, api_version: kind.apiVersion },
    })
  }

  const collection = async (kind: Kind, namespace: string | undefined, signal?: AbortSignal): Promise<string> => {
    const { plural, namespaced } = await need(kind, signal)
    const place = namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : ''
    return `${rootOf(kind.apiVersion)}${place}/${plural}`
  }

  return {
    find,
    learn(kinds) {
      for (const { apiVersion, kind, plural, namespaced } of kinds) {
        learnt.set(`${apiVersion} ${kind}`, { plural, namespaced })
      }
    },
    serves: async (kind, signal) => (await ofServer(kind, signal)) !== undefined,
    collection,
    async object(ref, signal) {
      const { namespaced } = await need(ref, signal)
      if (namespaced && ref.namespace === undefined) throw new Error(`${ref.kind} ${ref.name} needs a namespace`)
      return `${await collection(ref, ref.namespace, signal)}/${encodeURIComponent(ref.name)}`
    },
  }
}
