import { describe, expect, it } from 'vitest'
import { memberHealth, memberNameProblem } from '../../../src/drivers/karmada_v1/join/members.ts'
import { leftOnMember } from '../../../src/drivers/karmada_v1/leave/withdraw.ts'
import { holdingsOf } from '../../../src/drivers/karmada_v1/leave/works.ts'
import { notReady } from '../../../src/drivers/karmada_v1/templates/member.ts'
import type { KubeObject } from '../../../src/kube/api/object.ts'

const cluster = (status: object, ready?: object): KubeObject => ({
  apiVersion: 'cluster.karmada.io/v1alpha1',
  kind: 'Cluster',
  metadata: { name: 'c2', creationTimestamp: '2026-11-18T12:00:00Z', labels: { tier: 'lab' } },
  spec: { id: 'uid-2', apiEndpoint: 'https://10.0.0.2:6443', region: 'north', zone: 'a' },
  status: { ...status, conditions: ready ? [{ type: 'Ready', ...ready }] : [] },
})

describe('a member', () => {
  it('that is well', () => {
    const ready = { status: 'True', reason: 'ClusterReady', message: 'fine' }
    const seen = memberHealth(
      cluster({ kubernetesVersion: 'v1.34.1', nodeSummary: { totalNum: 3, readyNum: 2 } }, ready),
    )
    expect(seen).toEqual({
      name: 'c2',
      ready: true,
      reason: 'ClusterReady',
      message: 'fine',
      version: 'v1.34.1',
      nodes: { ready: 2, total: 3 },
      server: 'https://10.0.0.2:6443',
      cluster_uid: 'uid-2',
      region: 'north',
      zones: ['a'],
      provider: null,
      labels: { tier: 'lab' },
      joined_at: '2026-11-18T12:00:00Z',
      leaving: false,
    })
  })

  it('that cannot be reached is told with its address and what to do', () => {
    const bad = cluster({}, { status: 'False', reason: 'ClusterNotReachable', message: 'cluster is not reachable' })
    expect(memberHealth(bad)).toMatchObject({ ready: false, version: null, nodes: null })
    expect(memberHealth(bad).hint).toContain("the host's pods must reach https://10.0.0.2:6443")
    expect(notReady(bad)).toBe(
      "ClusterNotReachable: cluster is not reachable — the host's pods must reach https://10.0.0.2:6443 and trust its certificate; --cluster-server sets another address",
    )
  })

  it('that nobody knows anything of is neither well nor ill', () => {
    expect(memberHealth(cluster({})).ready).toBeNull()
    expect(memberHealth(cluster({}, { status: 'Unknown', reason: 'ClusterStatusUnknown' })).ready).toBeNull()
    expect(notReady(cluster({}))).toBe('waiting for the first health check')
  })

  it.each([
    ['c2', undefined],
    ['a'.repeat(48), undefined],
    ['a'.repeat(49), 'it has 49 characters, but at most 48 are allowed'],
    ['Prod', 'lowercase letters'],
    ['arn:aws:eks:eu:1:cluster/x', 'lowercase letters'],
    ['me@example', 'lowercase letters'],
    ['my_cluster', 'lowercase letters'],
    ['-x', 'lowercase letters'],
  ])('may be called %s, or the reason is told', (name, reason) => {
    const problem = memberNameProblem(name)
    if (reason === undefined) expect(problem).toBeUndefined()
    else expect(problem).toContain(reason)
  })
})

it('what it holds is told without what is the federation’s own', () => {
  const item = (objects: { kind: string; name: string; namespace?: string }[], ofFederation = false) => ({
    work: { apiVersion: 'v1', kind: 'Work', name: 'w' },
    preserved: false,
    held: true,
    ofFederation,
    objects: objects.map(o => ({ apiVersion: 'v1', ...o })),
  })
  expect(
    holdingsOf([
      item([{ kind: 'ClusterRole', name: 'karmada-impersonator' }], true),
      item([{ kind: 'Namespace', name: 'shop' }]),
      item([{ kind: 'Deployment', name: 'web', namespace: 'shop' }]),
    ]),
  ).toEqual({ workloads: ['Deployment shop/web'], namespaces: ['shop'] })
})

it('what a member that was forced out still has is told with the commands that take it away', () => {
  const [account] = leftOnMember('c2', 'prod-2')
  expect(account?.next).toMatchObject({
    program: 'kubectl',
    context: 'prod-2',
    words: ['delete'],
    args: ['clusterrole,clusterrolebinding', 'karmada-controller-manager:karmada-c2'],
  })
})
