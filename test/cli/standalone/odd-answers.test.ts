/** API servers (or what stands in their place) that answer 200 with nonsense: clear errors, never a bug, and nothing is written on their word. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { connectAdmin } from '../../support/kube.ts'
import { type StandaloneLab, startLab } from '../../support/standalone.ts'

let lab: StandaloneLab
beforeAll(async () => {
  lab = await startLab({ members: 2 })
  expect(await lab.run('federation create fed --host host --expose nodeport')).toMatchObject({ code: 0 })
  expect(await lab.run('federation join fed c2 --host host')).toMatchObject({ code: 0 })
})
afterAll(() => lab.close())
afterEach(() => lab.sandbox.faults.clear())

const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`

function answer(cluster: string, path: RegExp, body: unknown): void {
  const bytes = typeof body === 'string' ? body : JSON.stringify(body)
  const effect = { kind: 'garbage', bytes, contentType: 'application/json' } as const
  lab.sandbox.cluster(cluster).faults.order({ path, times: Number.POSITIVE_INFINITY, effect })
}

const bug = /bug in coe|TypeError|RangeError|SyntaxError|\bat .*\.(ts|js):\d+|\[object/
const odd = ' answered with unexpected JSON: '

describe('one answer', () => {
  it.each<[string, RegExp, unknown, string]>([
    [
      'federation list --host host',
      /configmaps/,
      { items: 'x' },
      `${odd}"items" is a string where a list was expected`,
    ],
    ['federation list --host host', /configmaps/, {}, `${odd}"items" is missing`],
    [
      'federation list --host host',
      /configmaps/,
      { items: [null] },
      `${odd}"items[0]" is null where an object was expected`,
    ],
    ['federation list --host host', /configmaps/, { items: [{ metadata: [] }] }, `${odd}"items[0].metadata" is a list`],
    [
      'federation list --host host',
      /configmaps/,
      { items: [{ metadata: { labels: { a: 1 } } }] },
      '"items[0].metadata.labels.a" is a number where a string was expected',
    ],
    [
      'federation list --host host',
      /configmaps/,
      { items: [{ metadata: {}, data: { a: {} } }] },
      '"items[0].data.a" is an object where a string was expected',
    ],
    ['federation list --host host', /configmaps/, deep, 'answered with JSON that is nested too deep'],
    ['federation join fed c3 --host host', /selfsubjectaccessreviews/, { status: {} }, '"status.allowed" is missing'],
    [
      'federation join fed c3 --host host',
      /namespaces\/kube-system$/,
      { kind: 'Namespace', metadata: { uid: 7 } },
      '"metadata.uid" is a number where a string was expected',
    ],
    [
      'federation join fed c3 --host host',
      /namespaces\/kube-system$/,
      { kind: 'Table', metadata: {} },
      '"kind" is a string where "Namespace" was expected',
    ],
  ])('%s: %s answers %s', async (line, path, body, says) => {
    const before = lab.objects()
    for (const cluster of ['host', 'c3']) answer(cluster, path, body)
    const { code, out, err } = await lab.run(line)
    expect(out + err).not.toMatch(bug)
    expect(err).toContain(says)
    expect(code).not.toBe(0)
    expect(lab.objects()).toEqual(before)
  })
})

describe('every answer', () => {
  const lines = [
    'federation list --all-contexts',
    'federation status fed --host host',
    'federation join fed c3 --host host',
    'federation delete fed --yes --host host',
    'cluster list --probe',
    'doctor',
  ]
  const bodies = [
    [],
    {},
    null,
    '"x"',
    { items: [{}] },
    { kind: 'Status', status: 'Success' },
    { metadata: { name: 'x' }, items: [] },
    deep,
  ]
  it.each(lines)('%s', async line => {
    const before = lab.objects()
    // doctor has a request for each thing and tries some again
    for (const body of line === 'doctor' ? bodies.slice(-2) : bodies) {
      for (const cluster of ['host', 'c2', 'c3']) answer(cluster, /./, body)
      const { out, err } = await lab.run(line)
      expect(out + err, JSON.stringify(body).slice(0, 60)).not.toMatch(bug)
      expect(err, JSON.stringify(body).slice(0, 60)).not.toMatch(/nothing to delete/)
      lab.sandbox.faults.clear()
    }
    expect(lab.objects()).toEqual(before)
  })

  it('a refusal, 20,000 levels deep', async () => {
    for (const body of [
      deep,
      `{"kind": "Status", "message": ${deep}, "code": 403}`,
      { kind: 'Status', details: { causes: [null] } },
    ]) {
      const effect = {
        kind: 'answer',
        status: 403,
        body: typeof body === 'string' ? body : JSON.stringify(body),
      } as const
      lab.sandbox.cluster('host').faults.order({ times: 99, effect })
      const { code, out, err } = await lab.run('federation show fed --host host')
      expect(out + err).not.toMatch(bug)
      expect(code).not.toBe(0)
      lab.sandbox.faults.clear()
    }
  })
})

it('a record that somebody has edited: says what of it', async () => {
  const api = await connectAdmin(lab.sandbox.host)
  const ref = { apiVersion: 'v1', kind: 'ConfigMap', name: 'coe-federation', namespace: 'coe-fed-fed' }
  const { data } = (await api.get(ref)) ?? { data: {} }
  for (const [key, value, says] of [
    ['history', '[null]', '"[0]" is null where an object was expected'],
    ['history', '{}', 'it is an object where a list was expected'],
    ['properties', '{"a": 1}', '"a" is a number where a string was expected'],
    ['settings', '5', 'it is a number where an object was expected'],
    ['host', 'x', 'is no JSON'],
  ] as const) {
    await api.patch(ref, { data: { [key]: value } }, { type: 'merge' })
    const { code, err } = await lab.run('federation status fed --host host')
    expect({ code, err }).toEqual({ code: 5, err: expect.stringContaining(`its "${key}"`) })
    expect(err).toContain(says)
    expect(err).not.toMatch(bug)
    await api.patch(ref, { data: { [key]: data[key] ?? '' } }, { type: 'merge' })
  }
})
