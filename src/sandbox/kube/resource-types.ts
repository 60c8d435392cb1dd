import type { KubeObject } from './object.ts'

/** One REST resource of a server: its path, the kind of its objects, and its verbs. */
export interface ResourceType {
  group: string
  version: string
  plural: string
  singular: string
  kind: string
  namespaced: boolean
  shortNames: string[]
  /** `status`, `scale`, `token`, `proxy`. */
  subresources: string[]
  verbs: string[]
  /** A built-in type, whose lists have merge keys (merge-schema.ts). */
  builtin: boolean
}

export const allVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']

/** The name of a resource without its version: `pods`, `deployments.apps`. The store's key. */
export const idOf = (type: { group: string; plural: string }): string =>
  type.group ? `${type.plural}.${type.group}` : type.plural

export const apiVersionOf = (type: { group: string; version: string }): string =>
  type.group ? `${type.group}/${type.version}` : type.version

export interface TypeRegistry {
  find(group: string, version: string, plural: string): ResourceType | undefined
  /** By the apiVersion and kind in objects. */
  ofObject(object: { apiVersion: string; kind: string }): ResourceType | undefined
  /** Any version of it. */
  byId(id: string): ResourceType | undefined
  all(): ResourceType[]
  add(type: ResourceType): void
  /** All versions of a resource. */
  removeId(id: string): void
}

export function createTypeRegistry(initial: readonly ResourceType[]): TypeRegistry {
  const types = new Map<string, ResourceType>()
  const pathKey = (group: string, version: string, plural: string) => `${group}/${version}/${plural}`
  const add = (type: ResourceType) => void types.set(pathKey(type.group, type.version, type.plural), type)
  for (const type of initial) add(type)
  return {
    add,
    find: (group, version, plural) => types.get(pathKey(group, version, plural)),
    ofObject: object => {
      for (const type of types.values()) {
        if (type.kind === object.kind && apiVersionOf(type) === object.apiVersion) return type
      }
      return undefined
    },
    byId: id => {
      for (const type of types.values()) if (idOf(type) === id) return type
      return undefined
    },
    all: () => [...types.values()],
    removeId(id) {
      for (const [key, type] of types) if (idOf(type) === id) types.delete(key)
    },
  }
}

/** The resources that a CustomResourceDefinition adds, one for each version it serves. */
export function typesOfCrd(crd: KubeObject): ResourceType[] {
  const { group, names, scope, versions } = crd.spec
  const served = versions.filter((version: { served: boolean }) => version.served)
  return served.map((version: { name: string; subresources?: { status?: object; scale?: object } }) => ({
    group,
    version: version.name,
    plural: names.plural,
    singular: names.singular ?? names.kind.toLowerCase(),
    kind: names.kind,
    namespaced: scope === 'Namespaced',
    shortNames: names.shortNames ?? [],
    subresources: Object.keys(version.subresources ?? {}),
    verbs: allVerbs,
    builtin: false,
  }))
}
