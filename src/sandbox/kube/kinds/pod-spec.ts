import { type Cause, requiredValue, unsupportedValue } from '../failure.ts'
import type { Json } from '../object.ts'
import { defaults } from './rules.ts'

const probeDefaults = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 }

function containerDefaults(container: Json): void {
  const tag = /:([^/:]+)$/.exec(container.image ?? '')?.[1]
  defaults(container, {
    imagePullPolicy: tag && tag !== 'latest' ? 'IfNotPresent' : 'Always',
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  })
  for (const port of container.ports ?? []) defaults(port, { protocol: 'TCP' })
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const probe = container[name]
    if (!probe) continue
    defaults(probe, probeDefaults)
    if (probe.httpGet) defaults(probe.httpGet, { path: '/', scheme: 'HTTP' })
  }
  for (const variable of container.env ?? []) {
    if (variable.valueFrom?.fieldRef) defaults(variable.valueFrom.fieldRef, { apiVersion: 'v1' })
  }
}

function volumeDefaults(volume: Json): void {
  if (volume.secret) defaults(volume.secret, { defaultMode: 420 })
  if (volume.configMap) defaults(volume.configMap, { defaultMode: 420 })
  if (volume.projected) defaults(volume.projected, { defaultMode: 420 })
  if (volume.downwardAPI) defaults(volume.downwardAPI, { defaultMode: 420 })
  if (volume.hostPath) defaults(volume.hostPath, { type: '' })
}

/** Fills in a server's defaults for the spec of a pod or pod template. */
export function podSpecDefaults(spec: Json): void {
  if (!spec) return
  defaults(spec, {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
  })
  if (spec.serviceAccountName) defaults(spec, { serviceAccount: spec.serviceAccountName })
  for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) containerDefaults(container)
  for (const volume of spec.volumes ?? []) volumeDefaults(volume)
}

export function podSpecProblems(field: string, spec: Json): Cause[] {
  const causes: Cause[] = []
  if (!spec?.containers?.length) causes.push(requiredValue(`${field}.containers`))
  const volumes = new Set((spec?.volumes ?? []).map((volume: Json) => volume.name))
  ;(spec?.containers ?? []).forEach((container: Json, i: number) => {
    const at = `${field}.containers[${i}]`
    if (!container.name) causes.push(requiredValue(`${at}.name`))
    if (!container.image) causes.push(requiredValue(`${at}.image`))
    if (container.imagePullPolicy && !['Always', 'IfNotPresent', 'Never'].includes(container.imagePullPolicy)) {
      causes.push(
        unsupportedValue(`${at}.imagePullPolicy`, container.imagePullPolicy, ['Always', 'IfNotPresent', 'Never']),
      )
    }
    ;(container.volumeMounts ?? []).forEach((mount: Json, j: number) => {
      if (!volumes.has(mount.name)) {
        causes.push({
          reason: 'FieldValueNotFound',
          message: `Not found: ${JSON.stringify(mount.name)}`,
          field: `${at}.volumeMounts[${j}].name`,
        })
      }
    })
  })
  return causes
}
