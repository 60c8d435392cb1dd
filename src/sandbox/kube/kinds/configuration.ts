import { type Cause, invalidValue, requiredValue } from '../failure.ts'
import { type KubeObject, same } from '../object.ts'
import { defaults, type KindRules } from './rules.ts'

function immutableProblems(object: KubeObject, old: KubeObject | undefined): Cause[] {
  if (!old?.immutable) return []
  const changed = ['data', 'binaryData', 'immutable'].filter(field => !same(old[field] ?? {}, object[field] ?? {}))
  return changed.map(field => ({
    reason: 'FieldValueForbidden',
    message: `Forbidden: field is immutable when \`immutable\` is set`,
    field,
  }))
}

export const configMapRules: KindRules = { validate: (object, old) => immutableProblems(object, old) }

const requiredKeys: Record<string, string[]> = {
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
}

export const secretRules: KindRules = {
  prepare(object) {
    defaults(object, { type: 'Opaque' })
    if (!object.stringData) return
    object.data ??= {}
    for (const [key, value] of Object.entries(object.stringData)) {
      object.data[key] = Buffer.from(value as string).toString('base64')
    }
    delete object.stringData
  },
  validate(object, old) {
    const causes = immutableProblems(object, old)
    if (old && old.type !== object.type) causes.push(invalidValue('type', object.type, 'field is immutable'))
    for (const key of requiredKeys[object.type] ?? []) {
      if (object.data?.[key] === undefined) causes.push(requiredValue(`data[${key}]`))
    }
    const account = object.metadata.annotations?.['kubernetes.io/service-account.name']
    if (object.type === 'kubernetes.io/service-account-token' && !account) {
      causes.push(requiredValue('metadata.annotations[kubernetes.io/service-account.name]'))
    }
    return causes
  },
}

export const persistentVolumeClaimRules: KindRules = {
  prepare(object, old, plane) {
    object.spec ??= {}
    defaults(object.spec, { volumeMode: 'Filesystem' })
    if (old) {
      defaults(object.spec, { volumeName: old.spec.volumeName, storageClassName: old.spec.storageClassName })
      return
    }
    object.status = { phase: 'Pending' }
    object.metadata.finalizers ??= ['kubernetes.io/pvc-protection']
    const standard = plane.store
      .list('storageclasses.storage.k8s.io')
      .find(c => c.metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true')
    if (standard) defaults(object.spec, { storageClassName: standard.metadata.name })
  },
  validate(object, old) {
    const causes: Cause[] = []
    if (!object.spec.accessModes?.length)
      causes.push(requiredValue('spec.accessModes', 'at least 1 access mode is required'))
    if (!object.spec.resources?.requests?.storage) causes.push(requiredValue('spec.resources[storage]'))
    if (old?.spec.volumeName && old.spec.storageClassName !== object.spec.storageClassName) {
      const message =
        'Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'
      causes.push({ reason: 'FieldValueForbidden', message, field: 'spec' })
    }
    return causes
  },
}

export const storageClassRules: KindRules = {
  prepare: object => defaults(object, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
  validate: object => (object.provisioner ? [] : [requiredValue('provisioner')]),
}

export const namespaceRules: KindRules = {
  prepare(object, old) {
    object.metadata.labels = { ...object.metadata.labels, 'kubernetes.io/metadata.name': object.metadata.name }
    object.spec ??= {}
    if (old)
      object.spec.finalizers = old.spec.finalizers // only the finalize subresource may change them
    else {
      object.spec.finalizers = ['kubernetes']
      object.status = { phase: 'Active' }
    }
  },
}

const bindingRules: KindRules = {
  prepare(object) {
    if (object.roleRef) defaults(object.roleRef, { apiGroup: 'rbac.authorization.k8s.io' })
    for (const subject of object.subjects ?? []) {
      if (subject.kind !== 'ServiceAccount') defaults(subject, { apiGroup: 'rbac.authorization.k8s.io' })
    }
  },
  validate(object, old) {
    if (!object.roleRef?.name) return [requiredValue('roleRef.name')]
    if (old && !same(old.roleRef, object.roleRef)) {
      return [invalidValue('roleRef', object.roleRef, 'cannot change roleRef')]
    }
    return []
  },
}
export const roleBindingRules = bindingRules

export const leaseRules: KindRules = {
  validate(object) {
    const seconds = object.spec?.leaseDurationSeconds
    if (seconds === undefined || seconds > 0) return []
    return [invalidValue('spec.leaseDurationSeconds', seconds, 'must be greater than 0')]
  },
}

export const podDisruptionBudgetRules: KindRules = {
  generation: true,
  prepare(object, old) {
    if (!old) object.status = { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 }
  },
  validate(object) {
    const { minAvailable, maxUnavailable } = object.spec ?? {}
    if (minAvailable === undefined || maxUnavailable === undefined) return []
    return [invalidValue('spec', object.spec, 'minAvailable and maxUnavailable cannot be both set')]
  },
}
