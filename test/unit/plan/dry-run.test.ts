import { describe, expect, test } from 'vitest'
import { planText } from '../../../src/cli/print/plan-text.ts'
import { base64, type KubeObject } from '../../../src/kube/api/object.ts'
import { viewPlan } from '../../../src/plan/dry-run.ts'
import type { Plan } from '../../../src/plan/step.ts'
import { isUnknown, unknown } from '../../../src/plan/unknown.ts'
import { configMap, deploymentObject } from '../../support/kube.ts'

interface Outputs {
  address: string
  names: string[]
  pki: { server: { cert: string; key: string } }
  given: string
}

const plan: Plan<Outputs> = {
  title: 'create federation "f"',
  owner: { what: 'federation', key: 'coe/federation-uuid', labels: { 'coe/federation-uuid': 'u' } },
  inputs: { given: 'known' },
  clusters: {
    host: { title: 'host "c1"', connect: () => Promise.reject(new Error('a dry run needs no cluster for this')) },
    inner: { title: 'the new API', connect: () => Promise.reject(new Error('it is not there yet')) },
  },
  steps: [
    { id: 'expose', title: 'an address', gives: ['address', 'names'], ready: async () => ({}) },
    {
      id: 'tls',
      title: 'certificates',
      gives: ['pki'],
      secrets: ['pki'],
      act: async () => ({}),
      describe: o => [`sign a certificate for ${o.address}`],
    },
    {
      id: 'api',
      title: 'the API server',
      needs: ['expose', 'tls'],
      want: o => [
        deploymentObject('api', 'ns'),
        configMap('c', 'ns', {
          url: `https://${o.address}:5443`,
          names: [...o.names, 'local'].join(','),
          given: o.given,
          key: o.pki.server.key,
        }),
        {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { name: 's', namespace: 'ns' },
          data: { 'tls.key': base64(o.pki.server.key), fixed: base64('hunter2') },
        },
      ],
    },
    {
      id: 'inside',
      title: 'what is inside',
      on: 'inner',
      needs: ['api'],
      want: o => [configMap('in', 'ns', { n: JSON.parse(o.address) })],
    },
  ],
}

describe('a dry run', () => {
  const view = viewPlan(plan, new AbortController().signal)

  test('shows objects as they will be, with what is not known yet named by its step', async () => {
    const { steps } = await view
    const [map, secret, deployment] = (steps[2]?.objects.map(o => o.object) ?? []) as KubeObject[]
    expect(map?.data).toEqual({
      url: 'https://<known after expose>:5443',
      names: '<known after expose>,local',
      given: 'known',
      key: '<secret pki of tls>',
    })
    expect(deployment?.metadata.labels).toEqual({ 'coe/federation-uuid': 'u' })
    expect(secret?.data).toEqual({ 'tls.key': '<secret>', fixed: '<secret>' })
    expect(JSON.stringify(steps)).not.toContain(base64('hunter2'))
  })

  test('says so where objects cannot be thought of yet', async () => {
    const { steps } = await view
    expect(steps[3]).toMatchObject({
      on: 'the new API',
      objects: [],
      does: ['apply objects that depend on <known after expose>'],
    })
  })

  test('as text, has a line for each thing', async () => {
    const text = planText(await view)
    expect(text).toContain('3. api: the API server, on host "c1" (after expose, tls)')
    expect(text).toContain('   + Deployment ns/api')
    expect(text).toContain('   - sign a certificate for <known after expose>')
    expect(text).not.toContain('hunter2')
  })

  test('does not hide a bug of a step that knows all it needs', async () => {
    const broken = { ...plan, steps: [{ id: 'x', title: 'x', want: () => JSON.parse('nonsense') }] }
    await expect(viewPlan(broken, new AbortController().signal)).rejects.toThrow(SyntaxError)
  })
})

test('what stands for a value can be read from, called and awaited, and stays what it is', async () => {
  const value = unknown('<known after x>') as { list: { map(f: unknown): unknown }; n: number }
  expect(isUnknown(value.list.map(() => 1))).toBe(true)
  expect(`${value.n}`).toBe('<known after x>')
  expect(JSON.parse(JSON.stringify({ a: [String(value)] }))).toEqual({ a: ['<known after x>'] })
  expect(isUnknown(await value)).toBe(true)
  expect(isUnknown('<known after x>')).toBe(false)
})
