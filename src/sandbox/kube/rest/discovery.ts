import type { Answer, Request } from '../../http.ts'
import { json } from '../../http.ts'
import type { ControlPlane } from '../control-plane.ts'
import { notFoundPath, unavailable } from '../failure.ts'
import type { ResourceType } from '../resource-types.ts'

/** `v1` before `v1beta1` before `v1alpha2`: clients use the first. */
function byPreference(a: string, b: string): number {
  const rank = (version: string) => {
    const [, major = '0', stage = 'z', minor = '0'] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? []
    const stages: Record<string, number> = { z: 2, beta: 1, alpha: 0 }
    return (stages[stage] ?? 0) * 1e6 + Number(major) * 1e3 + Number(minor)
  }
  return rank(b) - rank(a)
}

function visibleTypes(plane: ControlPlane): ResourceType[] {
  return plane.types.all().filter(type => {
    const state = plane.aggregated.get(`${type.group}/${type.version}`)?.()
    return state === undefined || state === 'available'
  })
}

function versionsOf(types: ResourceType[], group: string): string[] {
  return [...new Set(types.filter(type => type.group === group).map(type => type.version))].sort(byPreference)
}

function groupOf(types: ResourceType[], name: string) {
  const versions = versionsOf(types, name).map(version => ({ groupVersion: `${name}/${version}`, version }))
  return { name, versions, preferredVersion: versions[0] }
}

function resourcesOf(types: ResourceType[]) {
  return types.flatMap(type => [
    {
      name: type.plural,
      singularName: type.singular,
      namespaced: type.namespaced,
      kind: type.kind,
      verbs: type.verbs,
      ...(type.shortNames.length ? { shortNames: type.shortNames } : {}),
    },
    ...type.subresources.map(subresource => ({
      name: `${type.plural}/${subresource}`,
      singularName: '',
      namespaced: type.namespaced,
      ...subresourceKind(type, subresource),
    })),
  ])
}

function subresourceKind(type: ResourceType, subresource: string) {
  if (subresource === 'scale') {
    return { group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: ['get', 'patch', 'update'] }
  }
  if (subresource === 'token') {
    return { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest', verbs: ['create'] }
  }
  return { kind: type.kind, verbs: subresource === 'finalize' ? ['update'] : ['get', 'patch', 'update'] }
}

/** `/api`, `/apis` and the paths below, down to the resources of a group version. */
export function discovery(plane: ControlPlane, request: Request, parts: string[]): Answer {
  const types = visibleTypes(plane)
  if (/as=APIGroupDiscoveryList/.test(request.headers.accept ?? '') && parts.length === 1) {
    return aggregated(types, parts[0] === 'api')
  }
  if (parts[0] === 'api') {
    if (parts.length === 1) {
      const server = new URL(request.origin).host
      const clients = [{ clientCIDR: '0.0.0.0/0', serverAddress: server }]
      return json(200, { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: clients })
    }
    return resourceList(types, '', parts[1] as string)
  }
  const names = [...new Set(types.map(type => type.group))].filter(name => name !== '').sort()
  if (parts.length === 1) {
    return json(200, { kind: 'APIGroupList', apiVersion: 'v1', groups: names.map(name => groupOf(types, name)) })
  }
  const group = parts[1] as string
  if (parts.length === 3) {
    if (plane.aggregated.get(`${group}/${parts[2]}`)?.() === 'unavailable') throw unavailable()
    return resourceList(types, group, parts[2] as string)
  }
  if (!names.includes(group)) throw notFoundPath()
  return json(200, { kind: 'APIGroup', apiVersion: 'v1', ...groupOf(types, group) })
}

function resourceList(types: ResourceType[], group: string, version: string): Answer {
  const found = types.filter(type => type.group === group && type.version === version)
  if (found.length === 0) throw notFoundPath()
  const groupVersion = group ? `${group}/${version}` : version
  return json(200, { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: resourcesOf(found) })
}

function aggregated(types: ResourceType[], core: boolean): Answer {
  const names = core ? [''] : [...new Set(types.map(type => type.group))].filter(name => name !== '').sort()
  const items = names.map(group => ({
    metadata: { name: group, creationTimestamp: null },
    versions: versionsOf(types, group).map(version => ({
      version,
      freshness: 'Current',
      resources: types
        .filter(type => type.group === group && type.version === version)
        .map(type => ({
          resource: type.plural,
          responseKind: { group: type.group, version: type.version, kind: type.kind },
          scope: type.namespaced ? 'Namespaced' : 'Cluster',
          singularResource: type.singular,
          verbs: type.verbs,
          ...(type.shortNames.length ? { shortNames: type.shortNames } : {}),
          ...(type.subresources.length
            ? {
                subresources: type.subresources.map(subresource => ({
                  subresource,
                  ...subresourceKind(type, subresource),
                })),
              }
            : {}),
        })),
    })),
  }))
  return json(
    200,
    { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items },
    { 'Content-Type': 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' },
  )
}
