import { type Answer, json, type Request } from '../../http.ts'
import type { Release } from './versions.ts'

/** The answers of `/` and `/v1`, which need no login. */

export function rootDocument(request: Request, release: Release): Answer {
  return json(200, {
    name: 'OpenStack Magnum API',
    description:
      'Magnum is an OpenStack project which aims to provide container cluster management. (This one is a simulation: the sandbox of coe.)',
    versions: [
      {
        id: 'v1',
        links: [{ href: `${request.origin}/v1/`, rel: 'self' }],
        status: 'CURRENT',
        max_version: `1.${release.max}`,
        min_version: `1.${release.min}`,
      },
    ],
  })
}

export function v1Document(request: Request, release: Release): object {
  const pair = (path: string) => [
    { href: `${request.origin}/v1/${path}`, rel: 'self' },
    { href: `${request.origin}/${path}`, rel: 'bookmark' },
  ]
  const document: Record<string, unknown> = {
    id: 'v1',
    media_types: [{ base: 'application/json', type: 'application/vnd.openstack.magnum.v1+json' }],
    links: [
      { href: `${request.origin}/v1/`, rel: 'self' },
      {
        href: 'http://docs.openstack.org/developer/magnum/dev/api-spec-v1.html',
        rel: 'describedby',
        type: 'text/html',
      },
    ],
  }
  const resources = ['clustertemplates', 'clusters', 'quotas', 'certificates', 'mservices', 'stats', 'federations']
  for (const name of [...(release.number < 17 ? ['baymodels', 'bays'] : []), ...resources])
    document[name] = pair(`${name}/`)
  if (release.max >= 9) document.nodegroups = pair('clusters/{cluster_id}/nodegroups')
  if (release.max >= 12) document.credentials = pair('credentials/')
  return document
}
