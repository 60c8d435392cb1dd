import { type Cause, invalidValue, requiredValue } from '../failure.ts'
import { labelProblems } from '../names.ts'
import { copy, type Json, type KubeObject, same } from '../object.ts'
import { matchesLabelSelector } from '../selectors.ts'
import { podSpecDefaults, podSpecProblems } from './pod-spec.ts'
import { defaults, type KindRules } from './rules.ts'

function templateProblems(object: KubeObject, old: KubeObject | undefined): Cause[] {
  const { selector, template, replicas } = object.spec ?? {}
  const causes: Cause[] = []
  if (typeof replicas === 'number' && replicas < 0) {
    causes.push(invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0'))
  }
  if (!selector) causes.push(requiredValue('spec.selector'))
  if (!matchesLabelSelector(selector, template?.metadata?.labels)) {
    const labels = template?.metadata?.labels ?? null
    causes.push(invalidValue('spec.template.metadata.labels', labels, '`selector` does not match template `labels`'))
  }
  causes.push(...labelProblems('spec.template.labels', template?.metadata?.labels))
  causes.push(...podSpecProblems('spec.template.spec', template?.spec))
  if (old && !same(old.spec.selector, selector)) {
    causes.push(invalidValue('spec.selector', selector, 'field is immutable'))
  }
  return causes
}

/** Real servers print templates with an empty creation time, which clients must tolerate. */
function prepareTemplate(spec: Json): void {
  spec.template ??= {}
  spec.template.metadata ??= {}
  if (spec.template.metadata.creationTimestamp === undefined) spec.template.metadata.creationTimestamp = null
  podSpecDefaults(spec.template.spec)
}

export const deploymentRules: KindRules = {
  generation: true,
  prepare(object, old) {
    if (!old) object.status = {}
    object.spec ??= {}
    const { spec } = object
    defaults(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600, strategy: {} })
    defaults(spec.strategy, { type: 'RollingUpdate' })
    if (spec.strategy.type === 'RollingUpdate') {
      defaults(spec.strategy, { rollingUpdate: {} })
      defaults(spec.strategy.rollingUpdate, { maxUnavailable: '25%', maxSurge: '25%' })
    } else if (spec.strategy.rollingUpdate !== undefined && spec.strategy.rollingUpdate === null) {
      delete spec.strategy.rollingUpdate
    }
    prepareTemplate(spec)
  },
  validate(object, old) {
    const causes = templateProblems(object, old)
    const { strategy } = object.spec
    if (strategy.type === 'Recreate' && strategy.rollingUpdate) {
      causes.push({
        reason: 'FieldValueForbidden',
        message: "Forbidden: may not be specified when strategy `type` is 'Recreate'",
        field: 'spec.strategy.rollingUpdate',
      })
    }
    const zero = (value: Json) => value === 0 || value === '0%'
    if (
      strategy.rollingUpdate &&
      zero(strategy.rollingUpdate.maxSurge) &&
      zero(strategy.rollingUpdate.maxUnavailable)
    ) {
      causes.push(invalidValue('spec.strategy.rollingUpdate.maxUnavailable', 0, 'may not be 0 when `maxSurge` is 0'))
    }
    return causes
  },
}

export const replicaSetRules: KindRules = {
  generation: true,
  prepare(object) {
    object.spec ??= {}
    defaults(object.spec, { replicas: 1 })
    prepareTemplate(object.spec)
  },
  validate: templateProblems,
}

const statefulSetMutable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
]

export const statefulSetRules: KindRules = {
  generation: true,
  prepare(object, old) {
    if (!old) object.status = { replicas: 0, availableReplicas: 0 }
    object.spec ??= {}
    const { spec } = object
    defaults(spec, {
      replicas: 1,
      podManagementPolicy: 'OrderedReady',
      revisionHistoryLimit: 10,
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
    })
    prepareTemplate(spec)
    for (const claim of spec.volumeClaimTemplates ?? []) {
      defaults(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim', status: { phase: 'Pending' } })
      defaults(claim.spec, { volumeMode: 'Filesystem' })
    }
  },
  validate(object, old) {
    const fixed = (spec: Json) => {
      const rest = copy(spec)
      for (const field of statefulSetMutable) delete rest[field]
      return rest
    }
    if (old && !same(fixed(old.spec), fixed(object.spec))) {
      const message = `Forbidden: updates to statefulset spec for fields other than ${statefulSetMutable
        .slice(0, -1)
        .map(field => `'${field}'`)
        .join(', ')} and 'minReadySeconds' are forbidden`
      return [{ reason: 'FieldValueForbidden', message, field: 'spec' }]
    }
    const withClaims = copy(object)
    const claims = (withClaims.spec.volumeClaimTemplates ?? []).map((claim: Json) => ({ name: claim.metadata?.name }))
    if (withClaims.spec.template.spec) {
      withClaims.spec.template.spec.volumes = [...(withClaims.spec.template.spec.volumes ?? []), ...claims]
    }
    return templateProblems(withClaims, undefined)
  },
}

export const podRules: KindRules = {
  prepare(object, old) {
    object.spec ??= {}
    podSpecDefaults(object.spec)
    defaults(object.spec, { enableServiceLinks: true })
    if (!old) object.status = { phase: 'Pending', qosClass: 'BestEffort' }
  },
  validate(object, old) {
    if (!old) return podSpecProblems('spec', object.spec)
    const fixed = (spec: Json) => {
      const rest = copy(spec)
      for (const container of rest.containers ?? []) delete container.image
      for (const field of ['nodeName', 'activeDeadlineSeconds', 'tolerations', 'terminationGracePeriodSeconds']) {
        delete rest[field]
      }
      return rest
    }
    if (same(fixed(old.spec), fixed(object.spec))) return []
    const message =
      'Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'
    return [{ reason: 'FieldValueForbidden', message, field: 'spec' }]
  },
}

export const jobRules: KindRules = {
  generation: true,
  prepare(object, old) {
    object.spec ??= {}
    const { spec } = object
    defaults(spec, {
      parallelism: 1,
      completions: 1,
      backoffLimit: 6,
      completionMode: 'NonIndexed',
      suspend: false,
      manualSelector: false,
      podReplacementPolicy: 'TerminatingOrFailed',
    })
    prepareTemplate(spec)
    if (!old && !spec.selector) {
      const labels = { 'batch.kubernetes.io/job-name': object.metadata.name, 'job-name': object.metadata.name }
      spec.template.metadata.labels = { ...spec.template.metadata.labels, ...labels }
      spec.selector = { matchLabels: { 'batch.kubernetes.io/job-name': object.metadata.name } }
    }
  },
  validate(object, old) {
    const causes = podSpecProblems('spec.template.spec', object.spec.template?.spec)
    if (!['Never', 'OnFailure'].includes(object.spec.template?.spec?.restartPolicy)) {
      causes.push({
        reason: 'FieldValueRequired',
        message: 'Required value: valid values: "OnFailure", "Never"',
        field: 'spec.template.spec.restartPolicy',
      })
    }
    if (old && !same(old.spec.template, object.spec.template)) {
      causes.push(invalidValue('spec.template', {}, 'field is immutable'))
    }
    return causes
  },
}
