/**
 * A simulated archive of a release's definitions: the same kinds and layout, with schemas that accept anything. Its
 * content differs from the release's, so users must give its digest.
 */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'

/** plural, kind, group (below karmada.io where it has no dot), scope, versions with the stored one last */
const kinds: readonly (readonly [string, string, string, 'Namespaced' | 'Cluster', readonly string[]])[] = [
  ['workloadrebalancers', 'WorkloadRebalancer', 'apps', 'Cluster', ['v1alpha1']],
  ['cronfederatedhpas', 'CronFederatedHPA', 'autoscaling', 'Namespaced', ['v1alpha1']],
  ['federatedhpas', 'FederatedHPA', 'autoscaling', 'Namespaced', ['v1alpha1']],
  ['resourceinterpretercustomizations', 'ResourceInterpreterCustomization', 'config', 'Cluster', ['v1alpha1']],
  [
    'resourceinterpreterwebhookconfigurations',
    'ResourceInterpreterWebhookConfiguration',
    'config',
    'Cluster',
    ['v1alpha1'],
  ],
  ['serviceexports', 'ServiceExport', 'multicluster.x-k8s.io', 'Namespaced', ['v1alpha1']],
  ['serviceimports', 'ServiceImport', 'multicluster.x-k8s.io', 'Namespaced', ['v1alpha1']],
  ['multiclusteringresses', 'MultiClusterIngress', 'networking', 'Namespaced', ['v1alpha1']],
  ['multiclusterservices', 'MultiClusterService', 'networking', 'Namespaced', ['v1alpha1']],
  ['clusteroverridepolicies', 'ClusterOverridePolicy', 'policy', 'Cluster', ['v1alpha1']],
  ['clusterpropagationpolicies', 'ClusterPropagationPolicy', 'policy', 'Cluster', ['v1alpha1']],
  ['clustertaintpolicies', 'ClusterTaintPolicy', 'policy', 'Cluster', ['v1alpha1']],
  ['federatedresourcequotas', 'FederatedResourceQuota', 'policy', 'Namespaced', ['v1alpha1']],
  ['overridepolicies', 'OverridePolicy', 'policy', 'Namespaced', ['v1alpha1']],
  ['propagationpolicies', 'PropagationPolicy', 'policy', 'Namespaced', ['v1alpha1']],
  ['remedies', 'Remedy', 'remedy', 'Cluster', ['v1alpha1']],
  ['clusterresourcebindings', 'ClusterResourceBinding', 'work', 'Cluster', ['v1alpha1', 'v1alpha2']],
  ['resourcebindings', 'ResourceBinding', 'work', 'Namespaced', ['v1alpha1', 'v1alpha2']],
  ['works', 'Work', 'work', 'Namespaced', ['v1alpha1']],
]

export interface DefinitionArchive {
  /** gzipped tar. */
  archive: Buffer
  /** The digest of paths and contents that coe must expect instead of the release's. */
  digest: string
}

export function definitionArchive(): DefinitionArchive {
  const files = kinds.map(([plural, kind, short, scope, versions]) => {
    const group = short.includes('.') ? short : `${short}.karmada.io`
    return {
      path: `${short.split('.')[0]}/${group}_${plural}.yaml`,
      text: definition(plural, kind, group, scope, versions),
    }
  })
  files.sort((a, b) => (a.path < b.path ? -1 : 1))
  const digest = createHash('sha256')
  for (const { path, text } of files) digest.update(`${createHash('sha256').update(text).digest('hex')}  ${path}\n`)
  const blocks = files.flatMap(({ path, text }) => entry(`crds/bases/${path}`, text))
  return {
    archive: gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)])),
    digest: `sha256:${digest.digest('hex')}`,
  }
}

const anything = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }

/** JSON is valid YAML. */
const definition = (plural: string, kind: string, group: string, scope: string, versions: readonly string[]): string =>
  JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: versions.map((name, i) => ({
        name,
        served: true,
        storage: i === versions.length - 1,
        schema: anything,
        subresources: { status: {} },
      })),
    },
  })

/** One file of a tar archive: its header and its content in blocks of 512 bytes. */
function entry(path: string, text: string): Buffer[] {
  const content = Buffer.from(text)
  const header = Buffer.alloc(512)
  header.write(path, 0, 100)
  header.write('0000644\0', 100)
  header.write('0000000\0'.repeat(2), 108)
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write(`${'0'.repeat(11)}\0`, 136)
  header.write('        0', 148)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]
}
