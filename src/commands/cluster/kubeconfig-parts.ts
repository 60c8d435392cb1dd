/** From the access to a cluster to the three entries of a kubeconfig, and to a file of its own. */
import type { Mapping } from '../../config/yaml/yaml-file.ts'
import { yamlText } from '../../io/formats/yaml-out.ts'
import type { ClusterAccess, KubeconfigEntries } from '../../model/cluster-access.ts'
import type { ExecPlugin } from './exec-plugin.ts'

export interface KubeconfigParts {
  names: { context: string; cluster: string; user: string }
  cluster: Mapping
  context: Mapping
  /** Undefined: the API lets anybody in. */
  user: Mapping | undefined
  /** All of it is in the kubeconfig that people have already. */
  there: boolean
}

export interface Naming {
  /** Asked for by the user. */
  context: string | undefined
  /** Whom the certificate is for. */
  user: string
  /** Beside other clusters: every name must be the cluster's own. */
  merged: boolean
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

export function kubeconfigParts(access: ClusterAccess, exec: ExecPlugin | undefined, naming: Naming): KubeconfigParts {
  if (access.entries) return takenParts(access.cluster.name, access.entries, naming)
  const names = chooseNames(access, exec !== undefined, naming)
  const { certificate, ca, server } = access
  return {
    names,
    there: false,
    cluster: { ...(ca === undefined ? {} : { 'certificate-authority-data': base64(ca) }), server },
    context: { cluster: names.cluster, user: names.user },
    user: exec
      ? { exec: { ...exec } }
      : certificate && {
          'client-certificate-data': base64(certificate.pem),
          'client-key-data': base64(certificate.key),
        },
  }
}

/** A copy beside the original needs names of its own; elsewhere they stay. */
function takenParts(name: string, entries: KubeconfigEntries, { context, merged }: Naming): KubeconfigParts {
  const own = context ?? name
  const there = merged && entries.file !== undefined && own === name
  const names = merged && !there ? { cluster: own, user: own } : entries.names
  const { cluster, user, namespace } = entries
  return {
    names: { ...names, context: own },
    there,
    cluster,
    context: {
      cluster: names.cluster,
      ...(user ? { user: names.user } : {}),
      ...(namespace === undefined ? {} : { namespace }),
    },
    user,
  }
}

/** In a file of its own the names are those of openstack's client, which scripts know. */
function chooseNames(
  access: ClusterAccess,
  keystone: boolean,
  { context, user, merged }: Naming,
): KubeconfigParts['names'] {
  const { name } = access.cluster
  if (merged) {
    const own = context ?? name
    return { context: own, cluster: own, user: `${own}-${keystone ? 'openstack' : user}` }
  }
  if (access.ca === undefined && !keystone) return { context: context ?? name, cluster: name, user: name }
  return keystone
    ? { context: context ?? 'openstackuser@kubernetes', cluster: name, user: 'openstackuser' }
    : { context: context ?? 'default', cluster: name, user }
}

export function kubeconfigText({ names, cluster, context, user }: KubeconfigParts): string {
  return yamlText({
    apiVersion: 'v1',
    clusters: [{ cluster, name: names.cluster }],
    contexts: [{ context, name: names.context }],
    'current-context': names.context,
    kind: 'Config',
    preferences: {},
    users: user || context.user !== undefined ? [{ name: names.user, user: user ?? {} }] : [],
  })
}
