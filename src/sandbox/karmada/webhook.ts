import { randomUUID } from 'node:crypto'
import type { WebhookCaller } from '../kube/control-plane.ts'
import { KubeFailure } from '../kube/failure.ts'
import { resolveInCluster } from '../kube/network/cluster-dns.ts'
import { copy, type Json, type KubeObject } from '../kube/object.ts'
import { checkKubeconfig } from './kubeconfig.ts'
import type { ProcessContext, Program } from './process.ts'
import { chainProblem, pairProblem } from './trust.ts'

/** karmada-webhook: needs its kubeconfig and its serving key pair. */
export const webhookServer: Program = async context => {
  const { view, network, federations, uid } = context
  const folder = view.flag('cert-dir') ?? '/tmp/k8s-webhook-server/serving-certs'
  const certificate = view.file(`${folder}/${view.flag('tls-cert-file-name') ?? 'tls.crt'}`)
  const key = view.file(`${folder}/${view.flag('tls-private-key-file-name') ?? 'tls.key'}`)
  const problem = pairProblem(certificate, key)
  if (problem) throw new Error(problem)
  await checkKubeconfig(context, 'kubeconfig')
  federations.servers.set(uid, { certificate, kind: 'webhook' })
  network.open(uid, Number(view.flag('secure-port') ?? 8443), { host: 'webhook', port: 8443 })
  return {
    stop() {
      federations.servers.delete(uid)
      network.close(uid)
    },
  }
}

/** Calls the webhooks of a Karmada API: by URL, through the host's network, checking the certificate against the bundle. */
export const webhookCaller =
  (context: ProcessContext): WebhookCaller =>
  async ({ webhook, object, operation }) => {
    const { url, caBundle } = webhook.clientConfig
    if (!url) throw new Error('dial tcp: no route to the service')
    const { hostname, port, pathname } = new URL(url)
    const found = resolveInCluster(context.plane, context.network, hostname, Number(port || 443), context.namespace)
    if ('error' in found) throw new Error(found.error)
    const server = context.federations.servers.get(found.pod.metadata.uid as string)
    if (server?.kind !== 'webhook') throw new Error('EOF')
    const authorities = Buffer.from(caBundle ?? '', 'base64').toString('utf8')
    const problem = chainProblem(server.certificate, authorities, 'server', context.plane.wallNow(), hostname)
    if (problem) throw new Error(problem)
    const review = reviews[pathname]
    if (!review) throw new Error('the server could not find the requested resource')
    const denied = (message: string) => {
      throw new KubeFailure(403, 'Forbidden', `admission webhook "${webhook.name}" denied the request: ${message}`)
    }
    return review(copy(object), denied, operation)
  }

type Review = (object: KubeObject, deny: (message: string) => void, operation: string) => KubeObject

const unchanged: Review = object => object

/** The ids by which the controllers find related objects. */
const withId =
  (label: string, more: (object: KubeObject) => void = () => {}): Review =>
  object => {
    object.metadata.labels = { ...object.metadata.labels, [label]: object.metadata.labels?.[label] ?? randomUUID() }
    more(object)
    return object
  }

function checkPolicy(object: KubeObject, deny: (message: string) => void): KubeObject {
  const { resourceSelectors, placement } = object.spec ?? {}
  if (!resourceSelectors?.length) deny('spec.resourceSelectors: Required value')
  for (const constraint of placement?.spreadConstraints ?? []) {
    if (constraint.maxGroups !== undefined && constraint.minGroups > constraint.maxGroups) {
      deny(`spec.placement.spreadConstraints: Invalid value: maxGroups must be greater than or equal to minGroups`)
    }
  }
  return object
}

const policyDefaults = (object: KubeObject) => {
  for (const selector of object.spec?.resourceSelectors ?? []) {
    if (object.metadata.namespace) selector.namespace ??= object.metadata.namespace
  }
  object.spec.placement ??= {}
  object.spec.conflictResolution ??= 'Abort'
  object.spec.activationPreference ??= undefined
}

function protect(object: KubeObject, deny: (message: string) => void): KubeObject {
  const value: Json = object.metadata.labels?.['resourcetemplate.karmada.io/deletion-protected']
  if (value === 'Always') {
    deny(
      'This resource is protected, please make sure to remove the label: resourcetemplate.karmada.io/deletion-protected',
    )
  }
  return object
}

const reviews: Record<string, Review> = {
  '/mutate-propagationpolicy': withId('propagationpolicy.karmada.io/permanent-id', policyDefaults),
  '/mutate-clusterpropagationpolicy': withId('clusterpropagationpolicy.karmada.io/permanent-id', policyDefaults),
  '/mutate-overridepolicy': unchanged,
  '/mutate-resourcebinding': withId('resourcebinding.karmada.io/permanent-id'),
  '/mutate-clusterresourcebinding': withId('clusterresourcebinding.karmada.io/permanent-id'),
  '/mutate-work': withId('work.karmada.io/permanent-id'),
  '/mutate-federatedhpa': unchanged,
  '/mutate-multiclusterservice': unchanged,
  '/validate-propagationpolicy': checkPolicy,
  '/validate-clusterpropagationpolicy': checkPolicy,
  '/validate-overridepolicy': unchanged,
  '/validate-clusteroverridepolicy': unchanged,
  '/validate-resourceinterpreterwebhookconfiguration': unchanged,
  '/validate-resourceinterpretercustomization': unchanged,
  '/validate-federatedresourcequota': unchanged,
  '/validate-multiclusteringress': unchanged,
  '/validate-federatedhpa': unchanged,
  '/validate-cronfederatedhpa': unchanged,
  '/validate-multiclusterservice': unchanged,
  '/validate-resourcedeletionprotection': protect,
  '/validate-resourcebinding': unchanged,
  '/validate-clustertaintpolicy': unchanged,
}
