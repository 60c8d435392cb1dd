import { type Cause, invalidValue, requiredValue } from '../failure.ts'
import type { Json } from '../object.ts'
import { defaults, type KindRules } from './rules.ts'

export const crdRules: KindRules = {
  generation: true,
  prepare(object, old) {
    const { spec } = object
    if (!spec?.names) return
    defaults(spec, { conversion: { strategy: 'None' } })
    defaults(spec.names, { singular: spec.names.kind?.toLowerCase(), listKind: `${spec.names.kind}List` })
    if (!old) {
      object.status = { conditions: [], acceptedNames: { plural: '', kind: '' }, storedVersions: storedVersions(spec) }
    }
  },
  validate(object) {
    const { spec } = object
    const causes: Cause[] = []
    if (!spec?.group) causes.push(requiredValue('spec.group'))
    if (!spec?.names?.plural) causes.push(requiredValue('spec.names.plural'))
    if (!spec?.names?.kind) causes.push(requiredValue('spec.names.kind'))
    if (!spec?.versions?.length) causes.push(requiredValue('spec.versions'))
    if (causes.length > 0) return causes
    if (object.metadata.name !== `${spec.names.plural}.${spec.group}`) {
      const why = 'must be spec.names.plural+"."+spec.group'
      causes.push(invalidValue('metadata.name', object.metadata.name, why))
    }
    if (storedVersions(spec).length !== 1) {
      const why = 'must have exactly one version marked as storage version'
      causes.push(invalidValue('spec.versions', '', why))
    }
    spec.versions.forEach((version: Json, i: number) => {
      if (!version.schema?.openAPIV3Schema) {
        causes.push(requiredValue(`spec.versions[${i}].schema.openAPIV3Schema`, 'schemas are required'))
      }
    })
    if (spec.conversion.strategy === 'Webhook' && !spec.conversion.webhook?.clientConfig) {
      causes.push(requiredValue('spec.conversion.webhook.clientConfig', 'required when strategy is set to Webhook'))
    }
    return causes
  },
}

const storedVersions = (spec: Json): string[] =>
  (spec.versions ?? []).filter((version: Json) => version.storage).map((version: Json) => version.name)

export const apiServiceRules: KindRules = {
  prepare(object) {
    object.status ??= {}
    if (object.spec?.service) defaults(object.spec.service, { port: 443 })
  },
  validate(object) {
    const { group, version, service, insecureSkipTLSVerify, caBundle } = object.spec ?? {}
    const causes: Cause[] = []
    if (object.metadata.name !== `${version}.${group ?? ''}`) {
      causes.push(invalidValue('metadata.name', object.metadata.name, 'must be `spec.version+"."+spec.group`'))
    }
    if (service && !service.name) causes.push(requiredValue('spec.service.name'))
    if (service && !service.namespace) causes.push(requiredValue('spec.service.namespace'))
    if (insecureSkipTLSVerify && caBundle) {
      causes.push(invalidValue('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present'))
    }
    return causes
  },
}

export const webhookConfigurationRules: KindRules = {
  generation: true,
  prepare(object) {
    for (const webhook of object.webhooks ?? []) {
      defaults(webhook, {
        failurePolicy: 'Fail',
        matchPolicy: 'Equivalent',
        namespaceSelector: {},
        objectSelector: {},
        timeoutSeconds: 10,
        ...(object.kind === 'MutatingWebhookConfiguration' ? { reinvocationPolicy: 'Never' } : {}),
      })
      for (const rule of webhook.rules ?? []) defaults(rule, { scope: '*' })
      if (webhook.clientConfig?.service) defaults(webhook.clientConfig.service, { port: 443 })
    }
  },
  validate(object) {
    const causes: Cause[] = []
    ;(object.webhooks ?? []).forEach((webhook: Json, i: number) => {
      const at = `webhooks[${i}]`
      if ((webhook.name ?? '').split('.').length < 3) {
        causes.push(
          invalidValue(
            `${at}.name`,
            webhook.name ?? '',
            'should be a domain with at least three segments separated by dots',
          ),
        )
      }
      if (!webhook.admissionReviewVersions?.length) {
        causes.push(requiredValue(`${at}.admissionReviewVersions`, 'must specify one of v1, v1beta1'))
      }
      if (!webhook.sideEffects)
        causes.push(requiredValue(`${at}.sideEffects`, 'must specify one of None, NoneOnDryRun'))
      const { url, service } = webhook.clientConfig ?? {}
      if (!url === !service) {
        causes.push(requiredValue(`${at}.clientConfig`, 'exactly one of url or service is required'))
      } else if (url && !url.startsWith('https://')) {
        causes.push(invalidValue(`${at}.clientConfig.url`, url, "'https' is the only allowed URL scheme"))
      }
    })
    return causes
  },
}
