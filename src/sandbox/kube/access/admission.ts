import type { ControlPlane } from '../control-plane.ts'
import { internalError, KubeFailure } from '../failure.ts'
import type { Json, KubeObject } from '../object.ts'
import type { ResourceType } from '../resource-types.ts'
import { matchesLabelSelector } from '../selectors.ts'

type Operation = 'CREATE' | 'UPDATE' | 'DELETE'

const registration = 'admissionregistration.k8s.io'
const has = (list: string[] | undefined, value: string) => list?.some(item => item === '*' || item === value) ?? false

function matches(
  plane: ControlPlane,
  webhook: Json,
  operation: Operation,
  type: ResourceType,
  object: KubeObject,
): boolean {
  const inRules = (webhook.rules ?? []).some(
    (rule: Json) =>
      has(rule.operations, operation) &&
      has(rule.apiGroups, type.group) &&
      has(rule.apiVersions, type.version) &&
      (has(rule.resources, type.plural) || rule.resources?.includes('*/*')) &&
      (rule.scope === '*' || rule.scope === undefined || (rule.scope === 'Namespaced') === type.namespaced),
  )
  if (!inRules) return false
  const isEmpty = (selector: Json) => !selector?.matchLabels && !selector?.matchExpressions
  const labels = object.metadata.labels ?? {}
  if (!isEmpty(webhook.objectSelector) && !matchesLabelSelector(webhook.objectSelector, labels)) return false
  if (isEmpty(webhook.namespaceSelector) || !object.metadata.namespace) return true
  const namespace = plane.store.get('namespaces', undefined, object.metadata.namespace)
  return matchesLabelSelector(webhook.namespaceSelector, namespace?.metadata.labels)
}

/** Whether any webhook is configured. */
export const hasWebhooks = (plane: ControlPlane): boolean =>
  ['mutating', 'validating'].some(kind => plane.store.list(`${kind}webhookconfigurations.${registration}`).length > 0)

/** Calls the matching webhooks; returns the object with their changes. */
export async function callWebhooks(
  plane: ControlPlane,
  operation: Operation,
  type: ResourceType,
  object: KubeObject,
): Promise<KubeObject> {
  if (type.group === registration) return object // otherwise a broken configuration could never be repaired
  let current = object
  for (const mutating of [true, false]) {
    const id = `${mutating ? 'mutating' : 'validating'}webhookconfigurations.${registration}`
    for (const configuration of plane.store.list(id)) {
      for (const webhook of configuration.webhooks ?? []) {
        if (!matches(plane, webhook, operation, type, current)) continue
        try {
          if (!plane.callWebhook) throw new Error('dial tcp: lookup failed: no such host')
          const answered = await plane.callWebhook({
            configuration,
            webhook,
            mutating,
            operation,
            type,
            object: current,
          })
          if (mutating) current = answered
        } catch (error) {
          if (error instanceof KubeFailure) throw error
          if (webhook.failurePolicy === 'Ignore') continue
          const { url, service } = webhook.clientConfig
          const target = url ?? `https://${service.name}.${service.namespace}.svc:${service.port}${service.path ?? '/'}`
          throw internalError(
            `failed calling webhook "${webhook.name}": failed to call webhook: Post "${target}?timeout=${webhook.timeoutSeconds}s": ${(error as Error).message}`,
          )
        }
      }
    }
  }
  return current
}
