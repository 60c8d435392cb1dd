import { describe, expect, it } from 'vitest'
import { allImages } from '../../../src/drivers/karmada_v1/images.ts'
import { asOptions, immutableChanges } from '../../../src/drivers/karmada_v1/options.ts'
import { readSettings } from '../../../src/drivers/karmada_v1/settings.ts'
import { facts } from '../../../src/drivers/karmada_v1/version.ts'

describe('options', () => {
  it('have defaults, and what is kept can be given again', () => {
    const kept = asOptions({})
    expect(kept).toEqual({
      expose: 'loadbalancer',
      storage: 'pvc',
      'storage-size': '5Gi',
      'engine-version': 'v1.18.2',
      resources: 'default',
      'etcd-user': 'auto',
      audit: 'metadata',
      metrics: 'local',
    })
    expect(asOptions(kept)).toEqual(kept)
    expect(asOptions(kept, kept)).toEqual(kept)
  })

  it('that came later are not filled in for a federation that stands without them', () => {
    const old = { expose: 'nodeport', storage: 'pvc', 'storage-size': '5Gi', 'engine-version': 'v1.18.2' }
    expect(asOptions(old, old)).toEqual(old)
    expect(asOptions({ ...old, audit: 'metadata' }, old)).toEqual({ ...old, audit: 'metadata' })
  })

  it('survive being kept, all of them', () => {
    const given = {
      expose: 'nodeport',
      'advertise-address': 'fed.example.org',
      'api-port': 31443,
      ha: true,
      storage: 'pvc',
      'storage-class': 'fast',
      'storage-size': '20Gi',
      'image-registry': 'registry.example.org/mirror/',
      'image-pull-secret': ['login'],
      toleration: ['dedicated=control:NoSchedule', 'gpu', '*:NoExecute'],
      'node-selector': ['zone=a', 'kind='],
      'engine-version': '1.18.2',
      resources: 'large',
      requests: ['etcd:cpu=500m,memory=1Gi', 'karmada-webhook:cpu=10m'],
      limits: ['etcd:memory=2Gi'],
      'priority-class': 'high',
      'etcd-user': 'root',
      audit: 'off',
      metrics: 'cluster',
      'network-policy': false,
      'scheduler-estimator': true,
    }
    const kept = asOptions(given)
    expect(readSettings(kept)).toEqual(readSettings(given))
    expect(JSON.parse(JSON.stringify(kept))).toEqual(kept)
    expect(kept.toleration).toEqual(['dedicated=control:NoSchedule', 'gpu', '*:NoExecute'])
  })

  it('are all described, and what is described is all there is', () => {
    const kept = Object.keys(asOptions({ ha: true, expose: 'nodeport' }))
    const described = facts.options.map(o => o.name)
    expect(kept.filter(name => !described.includes(name))).toEqual([])
    expect(facts.options.filter(o => o.transient).map(o => o.name)).toEqual(['new-authorities', 'crds', 'crds-digest'])
  })

  it.each([
    [{ expose: 'nodport' }, '--expose must be loadbalancer or nodeport, not "nodport"', 'did you mean "nodeport"?'],
    [{ storage: 'disk' }, '--storage must be pvc or emptydir', undefined],
    [{ storage: 'emptydir', 'storage-class': 'fast' }, '--storage-class needs --storage pvc', undefined],
    [{ 'storage-size': '5 gigs' }, '--storage-size must be a size like 5Gi', undefined],
    [
      { 'advertise-address': 'https://fed:6443' },
      'must be an IP address or a DNS name',
      'without https:// and without a port',
    ],
    [{ 'api-port': '70000' }, '--api-port must be a port from 1 to 65535', undefined],
    [{ 'api-port': '80', expose: 'nodeport' }, '--api-port must be a port from 1024', '30000 to 32767'],
    [{ toleration: ['a=b:Never'] }, '--toleration must be KEY[=VALUE][:EFFECT]', 'for example'],
    [{ 'advertise-address': '10.0.0.300' }, 'must be an IP address or a DNS name', undefined],
    [{ 'image-registry': 'https://mirror.example.org/k' }, '--image-registry must be a host', 'without https://'],
    [{ 'image-registry': 'a b' }, '--image-registry must be a host', 'without https://'],
    [{ 'image-pull-secret': ['log in'] }, '--image-pull-secret must be the name of a Secret', undefined],
    [{ 'node-selector': ['zone'] }, '--node-selector must be LABEL=VALUE', undefined],
    [{ resources: 'tiny' }, '--resources must be small, default or large, not "tiny"', undefined],
    [{ requests: ['etcd'] }, '--requests must be COMPONENT:cpu=AMOUNT,memory=AMOUNT', 'etcd:cpu=500m,memory=1Gi'],
    [{ requests: ['etcd:disk=1Gi'] }, '--requests must be COMPONENT:cpu=AMOUNT,memory=AMOUNT', undefined],
    [{ limits: ['etcd:memory=5'] }, '--limits must be COMPONENT:cpu=AMOUNT,memory=AMOUNT', undefined],
    [{ limits: ['etcd:cpu=0'] }, '--limits must be COMPONENT:cpu=AMOUNT,memory=AMOUNT', undefined],
    [{ limits: ['karmada-webhok:cpu=1'] }, '--limits names an unknown component', 'did you mean "karmada-webhook"?'],
    [
      { requests: ['etcd:memory=2Gi'], limits: ['etcd:memory=1Gi'] },
      '--requests for etcd exceeds --limits: memory 2Gi is more than 1Gi',
      undefined,
    ],
    [{ 'priority-class': 'Very High' }, '--priority-class must be the name of a PriorityClass', undefined],
    [{ audit: 'full' }, '--audit must be metadata or off', undefined],
    [{ 'engine-version': 'v9.9.9' }, 'this driver does not support Karmada v9.9.9', 'v1.18.2'],
  ])('that cannot be are told: %j', (given, message, hint) => {
    try {
      readSettings(given)
    } catch (error) {
      expect(error).toMatchObject({ outcome: 'usage' })
      expect((error as Error).message).toContain(message)
      if (hint) expect((error as { hint?: string }).hint).toContain(hint)
      return
    }
    throw new Error('they were taken')
  })

  it('that etcd stands on cannot be changed later; how it is reached can', () => {
    const before = asOptions({})
    const after = asOptions({ ha: true, storage: 'emptydir', expose: 'nodeport', 'image-registry': 'r' })
    expect(Object.keys(immutableChanges(before, after))).toEqual(['ha', 'storage'])
    expect(immutableChanges(before, asOptions({ 'storage-size': '9Gi' }))).toHaveProperty('storage-size')
    const [root, strict] = ['root', 'unprivileged'].map(user => asOptions({ 'etcd-user': user }))
    expect(Object.keys(immutableChanges(root ?? {}, strict ?? {}))).toEqual(['etcd-user'])
    expect(immutableChanges(strict ?? {}, root ?? {})).toEqual({})
    const inPod = asOptions({ storage: 'emptydir' })
    const larger = asOptions({ storage: 'emptydir', resources: 'large', 'priority-class': 'high' })
    expect(Object.keys(immutableChanges(inPod, larger))).toEqual(['resources', 'priority-class'])
    const limits = ['karmada-webhook:memory=2Gi']
    expect(immutableChanges(inPod, asOptions({ storage: 'emptydir', limits }))).toEqual({})
  })
})

describe('images', () => {
  it('come from where their makers put them', () => {
    expect(allImages(readSettings({})).map(i => i.image)).toEqual([
      'registry.k8s.io/etcd:3.6.6-0',
      'registry.k8s.io/kube-apiserver:v1.35.2',
      'docker.io/karmada/karmada-aggregated-apiserver:v1.18.2',
      'registry.k8s.io/kube-controller-manager:v1.35.2',
      'docker.io/karmada/karmada-controller-manager:v1.18.2',
      'docker.io/karmada/karmada-scheduler:v1.18.2',
      'docker.io/karmada/karmada-webhook:v1.18.2',
    ])
  })

  it('come by their last name from a registry of one’s own', () => {
    const images = allImages(readSettings({ 'image-registry': 'r.example:5000/k/' })).map(i => i.image)
    expect(images).toContain('r.example:5000/k/etcd:3.6.6-0')
    expect(images).toContain('r.example:5000/k/karmada-webhook:v1.18.2')
    expect(images.every(i => i.startsWith('r.example:5000/k/'))).toBe(true)
  })
})
