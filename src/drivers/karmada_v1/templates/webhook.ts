/** Checks and completes what is written into the federation's API: the server, and what makes the API ask it. */
import type { KubeObject } from '../../../kube/api/object.ts'
import { kubeconfigPath } from './kubeconfigs.ts'
import { metricsOf, secretFolder } from './pod.ts'
import type { Checksums, Site } from './site.ts'
import { deployment } from './workload.ts'

const name = 'karmada-webhook'
const port = 8443

export function webhook(site: Site, checksums: Checksums): KubeObject[] {
  const metrics = metricsOf(site)
  return deployment(
    {
      name,
      command: [
        `/bin/${name}`,
        `--kubeconfig=${kubeconfigPath}`,
        `--secure-port=${port}`,
        `--cert-dir=${secretFolder}`,
        '--health-probe-bind-address=:8000',
        metrics.flag,
      ],
      ports: { https: port, health: 8000, ...metrics.ports },
      ready: { path: '/readyz', port, scheme: 'HTTPS' },
    },
    site,
    checksums,
  )
}

export const webhookUrl = (path: string): string => `https://${name}:443/${path}`

/** The API asks at the path `VERB-KIND`. */
interface Rule {
  /** The webhook's name and the path's last part, where they are not the resource's singular. */
  name?: string
  kind: string
  group: string
  resource: string
  cluster?: boolean
  operations?: string[]
  extra?: object
}

const policy = (kind: string, resource: string, cluster = false): Rule => ({
  kind,
  resource,
  cluster,
  group: 'policy.karmada.io',
})

const work = (kind: string, resource: string, rest: Partial<Rule> = {}): Rule => ({
  kind,
  resource,
  group: 'work.karmada.io',
  ...rest,
})

const federatedHpa: Rule = { kind: 'federatedhpa', group: 'autoscaling.karmada.io', resource: 'federatedhpas' }
const multiClusterService: Rule = {
  kind: 'multiclusterservice',
  group: 'networking.karmada.io',
  resource: 'multiclusterservices',
}
const created = ['CREATE']

const mutating: Rule[] = [
  policy('propagationpolicy', 'propagationpolicies'),
  policy('clusterpropagationpolicy', 'clusterpropagationpolicies', true),
  policy('overridepolicy', 'overridepolicies'),
  work('resourcebinding', 'resourcebindings', { operations: created }),
  work('clusterresourcebinding', 'clusterresourcebindings', { operations: created, cluster: true }),
  work('work', 'works'),
  { ...federatedHpa, name: 'autoscaling' },
  multiClusterService,
]

const validating: Rule[] = [
  policy('propagationpolicy', 'propagationpolicies'),
  policy('clusterpropagationpolicy', 'clusterpropagationpolicies', true),
  policy('overridepolicy', 'overridepolicies'),
  policy('clusteroverridepolicy', 'clusteroverridepolicies', true),
  policy('clustertaintpolicy', 'clustertaintpolicies', true),
  policy('federatedresourcequota', 'federatedresourcequotas'),
  {
    name: 'config',
    kind: 'resourceinterpreterwebhookconfiguration',
    group: 'config.karmada.io',
    resource: 'resourceinterpreterwebhookconfigurations',
    cluster: true,
  },
  {
    kind: 'resourceinterpretercustomization',
    group: 'config.karmada.io',
    resource: 'resourceinterpretercustomizations',
    cluster: true,
    extra: { timeoutSeconds: 10 },
  },
  { kind: 'multiclusteringress', group: 'networking.karmada.io', resource: 'multiclusteringresses' },
  multiClusterService,
  federatedHpa,
  { kind: 'cronfederatedhpa', group: 'autoscaling.karmada.io', resource: 'cronfederatedhpas' },
  work('resourcebinding', 'resourcebindings', { extra: { sideEffects: 'NoneOnDryRun' } }),
]

/** Only objects that somebody marked as protected are asked about. */
const deletionProtection = {
  matchExpressions: [{ key: 'resourcetemplate.karmada.io/deletion-protected', operator: 'Exists' }],
}

export function webhookConfigurations(caBundle: string): KubeObject[] {
  const entry = (verb: string, rule: Rule, scope: string) => ({
    name: `${rule.name ?? rule.kind}.karmada.io`,
    clientConfig: { url: webhookUrl(`${verb}-${rule.kind}`), caBundle: `${caBundle}` },
    rules: [
      {
        operations: rule.operations ?? ['CREATE', 'UPDATE'],
        apiGroups: [rule.group],
        apiVersions: ['*'],
        resources: [rule.resource],
        scope,
      },
    ],
    failurePolicy: 'Fail',
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    timeoutSeconds: 3,
    ...rule.extra,
  })
  const scope = (rule: Rule) => (rule.cluster ? 'Cluster' : 'Namespaced')
  const protection: Rule = {
    kind: 'resourcedeletionprotection',
    group: '*',
    resource: '*',
    operations: ['DELETE'],
    extra: { objectSelector: deletionProtection },
  }
  const configuration = (kind: string, called: string, webhooks: object[]): KubeObject => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name: called },
    webhooks,
  })
  return [
    configuration(
      'MutatingWebhookConfiguration',
      'mutating-config',
      mutating.map(rule => entry('mutate', rule, scope(rule))),
    ),
    configuration('ValidatingWebhookConfiguration', 'validating-config', [
      ...validating.map(rule => entry('validate', rule, scope(rule))),
      entry('validate', protection, '*'),
    ]),
  ]
}
