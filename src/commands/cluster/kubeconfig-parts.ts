/** Turns the access to a cluster into the three entries of a kubeconfig, and into a separate file. */
import type { Mapping } from '../../config/yaml/yaml-file.ts'
import { yamlText } from '../../io/formats/yaml-out.ts'
import type { ClusterAccess, KubeconfigEntries } from '../../model/cluster-access.ts'
import type { ExecPlugin } from './exec-plugin.ts'

export interface KubeconfigParts {
  names: { context: string; cluster: string; user: string }
  cluster: Mapping
  context: Mapping
  /** Undefined if the API needs no credentials. */
  user: Mapping | undefined
  /** Whether all of it is already in the user's kubeconfig. */
  exists: boolean
}

export interface Naming {
  /** Given on the command line. */
  context: string | undefined
  /** The user in the certificate. */
  user: string
  /** Whether it shares a kubeconfig with other clusters, so that its names must be unique. */
  merged: boolean
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

export function kubeconfigParts(access: ClusterAccess, exec: ExecPlugin | undefined, naming: Naming): KubeconfigParts {
  if (access.entries) return copiedParts(access.cluster.name, access.entries, naming)
  const names = chooseNames(access, exec !== undefined, naming)
  const { certificate, ca, server } = access
  return {
    names,
    exists: false,
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

/** A copy in the same kubeconfig needs other names; elsewhere the names stay the same. */
function copiedParts(name: string, entries: KubeconfigEntries, { context, merged }: Naming): KubeconfigParts {
  const own = context ?? name
  const exists = merged && entries.file !== undefined && own === name
  const names = merged && !exists ? { cluster: own, user: own } : entries.names
  const { cluster, user, namespace } = entries
  return {
    names: { ...names, context: own },
    exists,
    cluster,
    context: {
      cluster: names.cluster,
      ...(user ? { user: names.user } : {}),
      ...(namespace === undefined ? {} : { namespace }),
    },
    user,
  }
}

/** A separate file has the names of the openstack client, which scripts know. */
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
