/** The pods of the control plane: alike in all but what runs in them. */

import { resourcesOf } from '../create/resources.ts'
import { image } from '../images.ts'
import { type ComponentName, componentLabel } from '../names.ts'
import type { Checksums, Site } from './site.ts'

/** Where the component's Secret is in its container. */
export const secretFolder = '/etc/coe'

export interface Probe {
  path: string
  port: number
  scheme: 'HTTP' | 'HTTPS'
}

export interface Component {
  name: ComponentName
  command: string[]
  ports: Record<string, number>
  /** Answers when it can do its work. */
  ready: Probe
  /** Answers while it is not beyond help; the same where there is one only. */
  alive?: Probe
  /** Volumes of its own, beside the Secret. */
  volumes?: object[]
  mounts?: object[]
  /** Storage of some kinds belongs to root when it is new. All else runs without. */
  asRoot?: boolean
  /** What its image's file is marked with, so that it starts at all without the rest. */
  capabilities?: string[]
}

const user = 65532

const metricsPort = 8080

/** Where components serve metrics in plain HTTP: they have no other way. The rest serves them on its TLS port, to administrators. */
export const componentPorts: Partial<Record<ComponentName, { metrics: number }>> = {
  'karmada-controller-manager': { metrics: metricsPort },
  'karmada-scheduler': { metrics: metricsPort },
  'karmada-webhook': { metrics: metricsPort },
  // with its health, which the kubelet asks without a certificate
  etcd: { metrics: 2381 },
}

/** Within the pod, where `kubectl port-forward` reaches it, or for all pods of the host. */
export const metricsOf = ({ settings }: Site): { flag: string; ports: Record<string, number> } =>
  settings.metrics === 'local'
    ? { flag: `--metrics-bind-address=127.0.0.1:${metricsPort}`, ports: {} }
    : { flag: `--metrics-bind-address=:${metricsPort}`, ports: { metrics: metricsPort } }

/** Which pods are this component's: what its Services, its workload and its budget select. */
export const selector = (name: ComponentName): Record<string, string> => ({ [componentLabel]: name })

export function podTemplate(component: Component, site: Site, checksums: Checksums): object {
  const { settings } = site
  const { name } = component
  return {
    metadata: {
      labels: { ...site.labels, ...selector(name) },
      annotations: { 'coe/secret-checksum': `${checksums[name]}` },
    },
    spec: {
      automountServiceAccountToken: false,
      // some wait for their last watcher, who never goes
      terminationGracePeriodSeconds: 5,
      enableServiceLinks: false,
      securityContext: {
        ...(component.asRoot ? {} : { runAsNonRoot: true, runAsUser: user, runAsGroup: user }),
        fsGroup: user,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      ...spread(component, settings.ha),
      ...(settings.priorityClass ? { priorityClassName: settings.priorityClass } : {}),
      ...(settings.tolerations.length ? { tolerations: settings.tolerations } : {}),
      ...(Object.keys(settings.nodeSelector).length ? { nodeSelector: settings.nodeSelector } : {}),
      ...(settings.imagePullSecrets.length
        ? { imagePullSecrets: settings.imagePullSecrets.map(secret => ({ name: secret })) }
        : {}),
      containers: [container(component, site)],
      volumes: [{ name: 'secret', secret: { secretName: name, defaultMode: 0o440 } }, ...(component.volumes ?? [])],
    },
  }
}

function container(component: Component, { settings }: Site): object {
  const { ready, alive = ready } = component
  return {
    name: component.name,
    image: image(component.name, settings),
    command: component.command,
    env: [field('POD_NAME', 'metadata.name'), field('POD_IP', 'status.podIP')],
    ports: Object.entries(component.ports).map(([name, containerPort]) => ({ name, containerPort, protocol: 'TCP' })),
    // asked each second until it answers, so that nobody waits for a probe's delay; then seldom
    startupProbe: { httpGet: target(ready), periodSeconds: 1, timeoutSeconds: 5, failureThreshold: 600 },
    readinessProbe: { httpGet: target(ready), periodSeconds: 5, timeoutSeconds: 5, failureThreshold: 3 },
    livenessProbe: { httpGet: target(alive), periodSeconds: 10, timeoutSeconds: 10, failureThreshold: 6 },
    resources: resourcesOf(component.name, settings.resources),
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'], ...(component.capabilities ? { add: component.capabilities } : {}) },
    },
    volumeMounts: [{ name: 'secret', mountPath: secretFolder, readOnly: true }, ...(component.mounts ?? [])],
  }
}

const field = (name: string, fieldPath: string) => ({
  name,
  valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath } },
})

const target = ({ path, port, scheme }: Probe) => ({ path, port, scheme })

/** Replicas keep to different nodes: always when somebody counts on it (`ha`), else where that can be. */
function spread({ name }: Component, ha: boolean): object {
  const term = { labelSelector: { matchLabels: selector(name) }, topologyKey: 'kubernetes.io/hostname' }
  if (!ha) return {}
  return { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } }
}
