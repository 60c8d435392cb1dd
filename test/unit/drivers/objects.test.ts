/** What would be applied, looked at as a whole: do the parts fit together? */
import { describe, expect, it } from 'vitest'
import { nextStep } from '../../../src/core/next-step.ts'
import { credentialsFor } from '../../../src/drivers/karmada_v1/certificates/certificates.ts'
import { withAddresses } from '../../../src/drivers/karmada_v1/certificates/secrets.ts'
import { createPlan } from '../../../src/drivers/karmada_v1/create/create.ts'
import { asOptions } from '../../../src/drivers/karmada_v1/options.ts'
import { readSettings } from '../../../src/drivers/karmada_v1/settings.ts'
import { webhookConfigurations } from '../../../src/drivers/karmada_v1/templates/webhook.ts'
import type { ClusterApi } from '../../../src/kube/api/cluster-api.ts'
import type { KubeObject } from '../../../src/kube/api/object.ts'
import { kubeWorld } from '../../support/kube.ts'

const labels = { 'coe/federation': 'x', 'coe/federation-uuid': 'u' }
const namespace = 'coe-fed-x'
const noCluster = {} as ClusterApi // objects are made without asking anybody

/** Of a new federation; `old`: of one that was made when there were fewer options. */
async function objects(
  given: Record<string, unknown> = {},
  age: 'new' | 'old' = 'new',
): Promise<{ host: KubeObject[]; api: KubeObject[] }> {
  const settings = readSettings(asOptions({ expose: 'nodeport', ...given }, age === 'old' ? {} : undefined))
  const site = { namespace, settings, labels }
  const members = settings.ha ? 3 : 1
  const needs = {
    namespace,
    members,
    address: '192.0.2.1',
    otherAddresses: [],
    estimators: settings.schedulerEstimator,
  }
  const issued = await credentialsFor(needs, {}, Date.now())
  const credentials = withAddresses(issued.credentials, site, 'https://192.0.2.1:30000')
  const checksums = Object.fromEntries(Object.keys(credentials).map(name => [name, `sum-of-${name}`]))
  const plan = createPlan({
    site,
    host: noCluster,
    hostTitle: 'host',
    federation: 'x',
    owner: { what: 'federation', labels, key: 'coe/federation-uuid' },
    definitions: [],
    world: kubeWorld(),
    connect: () => noCluster,
    resume: nextStep('resume', 'federation create', 'x'),
  })
  const outputs = {
    ...{ address: '192.0.2.1', port: 30000, otherAddresses: [], server: 'https://192.0.2.1:30000' },
    ...{ ca: 'PEM', caBundle: 'UEVN', checksums, credentials },
  }
  const made = await Promise.all(
    plan.steps.map(async s => ({ on: s.on ?? 'host', objects: (await s.want?.(outputs)) ?? [] })),
  )
  const of = (on: string) => made.filter(m => m.on === on).flatMap(m => m.objects)
  return { host: of('host'), api: of('federation') }
}

const workloads = (all: KubeObject[]) => all.filter(o => ['Deployment', 'StatefulSet'].includes(o.kind))
const podSpec = (o: KubeObject) => o.spec.template.spec
const container = (o: KubeObject) => podSpec(o).containers[0]
const nameOf = (o: KubeObject) => o.metadata.name as string

describe('the control plane on the host', () => {
  it('has one workload for each component, and each runs what its image is', async () => {
    const { host } = await objects()
    expect(workloads(host).map(nameOf)).toEqual([
      'etcd',
      'karmada-apiserver',
      'karmada-aggregated-apiserver',
      'kube-controller-manager',
      'karmada-scheduler',
      'karmada-webhook',
      'karmada-controller-manager',
    ])
    for (const o of workloads(host)) {
      const program = container(o).command[0].split('/').at(-1)
      expect(container(o).image).toMatch(new RegExp(`/${program}:`))
    }
  })

  it('finds every file that a command line names in the one Secret of its own', async () => {
    const { host } = await objects()
    for (const o of workloads(host)) {
      const mounted = podSpec(o).volumes.filter((v: { secret?: object }) => v.secret)
      expect(mounted).toEqual([{ name: 'secret', secret: { secretName: nameOf(o), defaultMode: 0o440 } }])
      const secret = host.find(s => s.kind === 'Secret' && nameOf(s) === nameOf(o))
      const text = container(o).command.join(' ') + Buffer.from(secret?.data.kubeconfig ?? '', 'base64').toString()
      const named = [...text.matchAll(/\/etc\/coe\/([\w.-]+)/g)].map(m => m[1] as string)
      expect(named.length, nameOf(o)).toBeGreaterThan(0)
      for (const file of named) expect(Object.keys(secret?.data), nameOf(o)).toContain(file)
      // and there is nothing in it that nobody reads; the webhook takes its two by the folder
      const read = new Set([...named, 'kubeconfig', ...(nameOf(o) === 'karmada-webhook' ? ['tls.crt', 'tls.key'] : [])])
      expect(Object.keys(secret?.data).filter(file => !read.has(file))).toEqual([])
    }
  })

  it('has Services that lead to pods that are there, at ports that they open', async () => {
    const { host } = await objects()
    for (const service of host.filter(o => o.kind === 'Service')) {
      const target = workloads(host).find(o =>
        Object.entries(service.spec.selector).every(([k, v]) => o.spec.template.metadata.labels[k] === v),
      )
      const open = container(target as KubeObject).ports.map((p: { containerPort: number }) => p.containerPort)
      for (const port of service.spec.ports) expect(open).toContain(port.targetPort)
    }
  })

  it('calls only Services that are there, by names that their certificates have', async () => {
    const { host } = await objects()
    const services = host.filter(o => o.kind === 'Service').map(nameOf)
    const secrets = host.filter(o => o.kind === 'Secret')
    const texts = [
      ...workloads(host).map(o => container(o).command.join(' ')),
      ...secrets.map(s => Buffer.from(s.data.kubeconfig ?? '', 'base64').toString()),
    ]
    const hosts = texts.flatMap(t => [...t.matchAll(/https:\/\/([a-z][\w.-]*):\d+/g)].map(m => m[1] as string))
    expect(new Set(hosts)).toEqual(new Set(['etcd-0.etcd', 'etcd-client', 'karmada-apiserver']))
    for (const called of hosts) expect(services).toContain(called.split('.').at(-1))
  })

  it('runs without rights that it does not need, and would pass "restricted"', async () => {
    const { host } = await objects({ ha: true })
    for (const o of workloads(host)) {
      expect(podSpec(o).automountServiceAccountToken).toBe(false)
      expect(podSpec(o).securityContext.seccompProfile).toEqual({ type: 'RuntimeDefault' })
      expect(container(o).securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(podSpec(o).securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65532 })
      expect(JSON.stringify(o)).not.toMatch(/hostPath|hostNetwork|"privileged"/)
    }
  })

  it('asks each second until a component is up, and seldom after that', async () => {
    for (const o of workloads((await objects()).host)) {
      expect(container(o).startupProbe.periodSeconds).toBe(1)
      expect(container(o).readinessProbe.periodSeconds).toBeGreaterThanOrEqual(5)
      const ports = container(o).ports.map((p: { containerPort: number }) => p.containerPort)
      for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
        expect(ports).toContain(container(o)[probe].httpGet.port)
      }
    }
  })

  it('replaces the pods of what a changed certificate belongs to', async () => {
    for (const o of workloads((await objects()).host)) {
      expect(o.spec.template.metadata.annotations).toEqual({ 'coe/secret-checksum': `sum-of-${nameOf(o)}` })
    }
  })
})

describe('options', () => {
  it('--ha: three etcds that need no order, two of the rest, each on its own node, one at most away', async () => {
    const { host } = await objects({ ha: true })
    const etcd = host.find(o => o.kind === 'StatefulSet') as KubeObject
    expect(etcd.spec).toMatchObject({ replicas: 3, podManagementPolicy: 'Parallel' })
    expect(container(etcd).command).toContain(
      '--initial-cluster=etcd-0=https://etcd-0.etcd:2380,etcd-1=https://etcd-1.etcd:2380,etcd-2=https://etcd-2.etcd:2380',
    )
    expect(host.find(o => nameOf(o) === 'etcd' && o.kind === 'Service')?.spec.publishNotReadyAddresses).toBe(true)
    for (const o of workloads(host)) {
      if (o.kind === 'Deployment') {
        expect(o.spec.replicas).toBe(2)
        expect(o.spec.strategy.rollingUpdate).toEqual({ maxSurge: 0, maxUnavailable: 1 })
      }
      const [rule] = podSpec(o).affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution
      expect(rule.topologyKey).toBe('kubernetes.io/hostname')
      expect(rule.labelSelector.matchLabels).toEqual(o.spec.selector.matchLabels)
    }
    const budgets = host.filter(o => o.kind === 'PodDisruptionBudget')
    expect(budgets.map(nameOf).sort()).toEqual(workloads(host).map(nameOf).sort())
    const servers = container(
      host.find(o => nameOf(o) === 'karmada-apiserver' && o.kind === 'Deployment') as KubeObject,
    )
    expect(servers.command).toContain(
      '--etcd-servers=https://etcd-0.etcd:2379,https://etcd-1.etcd:2379,https://etcd-2.etcd:2379',
    )
  })

  it('one of each otherwise, which can be rolled on a single node', async () => {
    for (const o of workloads((await objects()).host)) {
      expect(o.spec.replicas).toBe(1)
      expect(podSpec(o).affinity).toBeUndefined()
    }
  })

  it('storage: a claim of that size and class, or none at all', async () => {
    const etcd = async (given: object) =>
      (await objects({ ...given })).host.find(o => o.kind === 'StatefulSet') as KubeObject
    const [claim] = (await etcd({ 'storage-class': 'fast', 'storage-size': '9Gi' })).spec.volumeClaimTemplates
    expect(claim.spec).toMatchObject({ storageClassName: 'fast', resources: { requests: { storage: '9Gi' } } })
    expect((await etcd({})).spec.volumeClaimTemplates[0].spec).not.toHaveProperty('storageClassName')
    const forgetful = await etcd({ storage: 'emptydir' })
    expect(forgetful.spec.volumeClaimTemplates).toBeUndefined()
    expect(podSpec(forgetful).volumes).toContainEqual({ name: 'data', emptyDir: {} })
  })

  it('exposure: a node port, free or named, or a load balancer', async () => {
    const api = async (given: object) =>
      (await objects({ ...given })).host.find(o => o.kind === 'Service' && nameOf(o) === 'karmada-apiserver')?.spec
    expect(await api({})).toMatchObject({ type: 'NodePort', ports: [{ port: 5443 }] })
    expect((await api({})).ports[0]).not.toHaveProperty('nodePort')
    expect(await api({ 'api-port': 31000 })).toMatchObject({
      type: 'NodePort',
      ports: [{ port: 5443, nodePort: 31000 }],
    })
    expect(await api({ expose: 'loadbalancer', 'api-port': 443 })).toMatchObject({
      type: 'LoadBalancer',
      ports: [{ port: 443, targetPort: 5443 }],
    })
  })

  it('placement and pulling reach every pod', async () => {
    const { host } = await objects({
      toleration: ['a=b:NoSchedule'],
      'node-selector': ['z=1'],
      'image-pull-secret': ['s'],
    })
    for (const o of workloads(host)) {
      expect(podSpec(o)).toMatchObject({
        tolerations: [{ key: 'a', operator: 'Equal', value: 'b', effect: 'NoSchedule' }],
        nodeSelector: { z: '1' },
        imagePullSecrets: [{ name: 's' }],
      })
    }
  })
})

describe('in the API', () => {
  it('the usual roles may use the kinds, and the administrator acts on members as himself', async () => {
    const { api } = await objects()
    const binding = api.find(o => o.kind === 'ClusterRoleBinding')
    expect(binding?.subjects[0].name).toBe('system:admin')
    expect(api.filter(o => o.kind === 'Namespace').map(nameOf)).toEqual(['karmada-system', 'karmada-cluster'])
  })

  it('the webhook is asked at the path that it answers for each kind', () => {
    const [mutating, validating] = webhookConfigurations('Q0E=') as [KubeObject, KubeObject]
    const asked = (o: KubeObject) =>
      (o.webhooks as { clientConfig: { url: string }; rules: { resources: string[] }[] }[]).map(w => [
        w.rules[0]?.resources[0],
        new URL(w.clientConfig.url).pathname,
      ])
    expect(asked(mutating)).toEqual([
      ['propagationpolicies', '/mutate-propagationpolicy'],
      ['clusterpropagationpolicies', '/mutate-clusterpropagationpolicy'],
      ['overridepolicies', '/mutate-overridepolicy'],
      ['resourcebindings', '/mutate-resourcebinding'],
      ['clusterresourcebindings', '/mutate-clusterresourcebinding'],
      ['works', '/mutate-work'],
      ['federatedhpas', '/mutate-federatedhpa'],
      ['multiclusterservices', '/mutate-multiclusterservice'],
    ])
    expect(asked(validating)).toHaveLength(14)
    const names = (validating.webhooks as { name: string }[]).map(w => w.name)
    expect(new Set(names).size).toBe(14)
    expect(names).toContain('clustertaintpolicy.karmada.io')
  })
})

const named = (host: KubeObject[], name: string, kind = 'Deployment') =>
  host.find(o => o.kind === kind && nameOf(o) === name) as KubeObject

describe('what later versions added', () => {
  it('is not in a federation that stands already, until somebody asks for it', async () => {
    const { host } = await objects({}, 'old')
    expect(podSpec(named(host, 'etcd', 'StatefulSet')).securityContext).toEqual({
      fsGroup: 65532,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    for (const o of workloads(host)) expect(Object.keys(container(o).resources)).toEqual(['requests'])
    expect(JSON.stringify(host)).not.toMatch(/audit|127\.0\.0\.1:8080|estimator|NetworkPolicy|priorityClass/)
    const asked = await objects({ audit: 'metadata', resources: 'small', 'etcd-user': 'unprivileged' }, 'old')
    expect(container(named(asked.host, 'karmada-apiserver')).command).toContain('--audit-log-path=-')
  })

  it('--audit: the API server writes to its log; off: it has no policy', async () => {
    const { host } = await objects()
    const policy = JSON.parse(
      Buffer.from(named(host, 'karmada-apiserver', 'Secret').data['audit-policy.yaml'], 'base64').toString(),
    )
    expect(container(named(host, 'karmada-apiserver')).command).toContain('--audit-log-path=-')
    expect(policy.rules.at(-1)).toEqual({ level: 'Metadata' })
    expect(JSON.stringify(policy)).not.toMatch(/Request"|RequestResponse/)
    const off = await objects({ audit: 'off' })
    expect(JSON.stringify(off.host)).not.toContain('audit')
  })

  it('--metrics: nobody but the pod itself, or all pods of the host', async () => {
    const local = workloads((await objects()).host).map(o => container(o))
    expect(local.filter(c => c.command.join().includes('--metrics-bind-address=127.0.0.1:8080'))).toHaveLength(3)
    const open = workloads((await objects({ metrics: 'cluster' })).host).map(o => container(o))
    const scraped = open.filter(c => c.ports.some((p: { containerPort: number }) => p.containerPort === 8080))
    expect(scraped.map(c => c.name)).toEqual(['karmada-scheduler', 'karmada-webhook', 'karmada-controller-manager'])
  })

  it('--resources, --requests, --limits: each component has both, and one may have others', async () => {
    const { host } = await objects({ requests: ['etcd:memory=3Gi'], limits: ['karmada-webhook:cpu=10m,memory=1Gi'] })
    for (const o of workloads(host)) {
      const { requests, limits } = container(o).resources
      expect([Object.keys(requests), Object.keys(limits)]).toEqual([
        ['cpu', 'memory'],
        ['cpu', 'memory'],
      ])
    }
    // what was said moves what was not
    expect(container(named(host, 'etcd', 'StatefulSet')).resources).toEqual({
      requests: { cpu: '100m', memory: '3Gi' },
      limits: { cpu: '2', memory: '3Gi' },
    })
    expect(container(named(host, 'karmada-webhook')).resources).toMatchObject({
      requests: { cpu: '10m' },
      limits: { cpu: '10m', memory: '1Gi' },
    })
  })

  it('--priority-class: of every pod', async () => {
    const { host } = await objects({ 'priority-class': 'system-cluster-critical' })
    for (const o of workloads(host)) expect(podSpec(o).priorityClassName).toBe('system-cluster-critical')
  })

  it('--scheduler-estimator: the scheduler asks with its certificate, and there is one for those it asks', async () => {
    const { host } = await objects({ 'scheduler-estimator': true })
    expect(container(named(host, 'karmada-scheduler')).command).toEqual(
      expect.arrayContaining([
        '--enable-scheduler-estimator=true',
        `--scheduler-estimator-service-namespace=${namespace}`,
        '--scheduler-estimator-ca-file=/etc/coe/ca.crt',
      ]),
    )
    expect(Object.keys(named(host, 'karmada-scheduler-estimator', 'Secret').data).sort()).toEqual([
      'ca.crt',
      'tls.crt',
      'tls.key',
    ])
  })

  it('--network-policy: one for each component, at ports that it opens; the API is open to all', async () => {
    const { host } = await objects({ 'network-policy': true })
    const policies = host.filter(o => o.kind === 'NetworkPolicy')
    expect(policies.map(nameOf).sort()).toEqual(workloads(host).map(nameOf).sort())
    for (const policy of policies) {
      const target = workloads(host).find(o => nameOf(o) === nameOf(policy)) as KubeObject
      expect(target.spec.template.metadata.labels).toMatchObject(policy.spec.podSelector.matchLabels)
      const open = container(target).ports.map((p: { containerPort: number }) => p.containerPort)
      for (const { ports } of policy.spec.ingress) for (const { port } of ports) expect(open).toContain(port)
    }
    expect(named(host, 'karmada-apiserver', 'NetworkPolicy').spec.ingress).toEqual([
      { ports: [{ protocol: 'TCP', port: 5443 }] },
    ])
    const scraped = await objects({ 'network-policy': true, metrics: 'cluster' })
    expect(named(scraped.host, 'karmada-scheduler', 'NetworkPolicy').spec.ingress).toEqual([
      { from: [{ namespaceSelector: {} }], ports: [{ protocol: 'TCP', port: 8080 }] },
    ])
  })
})
