/** A self-contained context: its cluster and its user, with the content of the files that they name. */

import type { Mapping } from '../yaml/yaml-file.ts'
import type { KubeAccess } from './kubeconfig-access.ts'
import type { Kubeconfig } from './kubeconfig-read.ts'

export interface Flattened {
  cluster: Mapping
  /** Undefined: the context has no user. */
  user: Mapping | undefined
}

/** As kubeconfigs have certificates and keys. */
export const base64 = (text: string): string => Buffer.from(text).toString('base64')

const without = (value: Mapping, ...keys: string[]): Mapping =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)))

/** Keeps unknown fields. Also keeps token files and plugins as they are, since their tokens change. */
export function flattenContext(config: Kubeconfig, access: KubeAccess): Flattened {
  const cluster = config.clusters.get(access.clusterEntry)?.value ?? { server: access.server }
  return {
    cluster: {
      ...without(cluster, 'certificate-authority'),
      ...(access.ca ? { 'certificate-authority-data': base64(access.ca) } : {}),
    },
    user:
      access.userEntry === undefined
        ? undefined
        : {
            ...without(access.user, 'client-certificate', 'client-key'),
            ...(access.cert ? { 'client-certificate-data': base64(access.cert) } : {}),
            ...(access.key ? { 'client-key-data': base64(access.key) } : {}),
          },
  }
}
