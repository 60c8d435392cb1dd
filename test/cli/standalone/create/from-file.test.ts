import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startCloud, type TestCloud } from '../../../support/cloud.ts'
import { type StandaloneLab, startLab } from '../../../support/standalone.ts'

let lab: StandaloneLab
beforeAll(async () => {
  lab = await startLab({ members: 3 })
  expect((await lab.run('federation create filed --host host --expose nodeport')).code).toBe(0)
})
afterAll(() => lab.close())

const file = async (text: string) => {
  await writeFile(join(lab.home, 'members.yaml'), text)
  return 'members.yaml'
}
const members = async () => JSON.parse((await lab.run('federation members filed --long -f json')).out)

describe('federation join --from-file', () => {
  it('tells what is wrong in it with its place, before anything is asked of anybody', async () => {
    const path = await file('members:\n- c2\n- cluster: c3\n  zone: eu-1\n')
    const sent = lab.sandbox.log.all().length
    const r = await lab.run(`federation join filed --from-file ${path}`)
    expect([r.code, r.err]).toEqual([2, expect.stringContaining('line 4, column 3: a member has no "zone"')])
    expect(r.err).toContain('4 |   zone: eu-1\n    |   ^')
    expect(r.err).toContain('zones')
    expect(lab.sandbox.log.all().length).toBe(sent)
  })

  it('wants a list, or what has one under "members"', async () => {
    const r = await lab.run(`federation join filed --from-file ${await file('name: filed\n')}`)
    expect([r.code, r.err]).toEqual([2, expect.stringContaining('a list is expected here, or a list under "members"')])
    expect((await lab.run('federation join filed --from-file nowhere.yaml')).code).toBe(3)
    expect((await lab.run('federation join filed')).err).toContain('--from-file')
  })

  it('joins what it lists beside what the line names, and the line wins', async () => {
    const path = await file(`- cluster: c2
  name: west
  region: eu
  labels: { tier: test, from: file }
- cluster: c3
  zones: [eu-1, eu-2]
  provider: acme
`)
    const r = await lab.run(`federation join filed c4 c3 --from-file ${path} --label tier=prod --region us`)
    expect(r.code).toBe(0)
    expect(await members()).toMatchObject([
      { name: 'c3', region: 'us', zones: ['eu-1', 'eu-2'], provider: 'acme', labels: { tier: 'prod' } },
      { name: 'c4', region: 'us', labels: { tier: 'prod' } },
      { name: 'west', region: 'us', labels: { tier: 'prod', from: 'file' } },
    ])
  })

  it('reads standard input; those that are members already are no error', async () => {
    const r = await lab.run('federation join filed --from-file -', { input: '["c2", "c3"]' })
    expect(r).toMatchObject({
      code: 0,
      out: 'Cluster c2 is already a member of federation filed: nothing to do\nCluster c3 is already a member of federation filed: nothing to do\n',
    })
  })

  it('a name is for one cluster', async () => {
    const r = await lab.run(`federation join filed c4 --from-file ${await file('[c2]')} --cluster-name x`)
    expect([r.code, r.err]).toEqual([2, expect.stringContaining('--cluster-name is for one cluster')])
  })

  it('the line that goes on names the file and what else was said', async () => {
    expect((await lab.run('federation unjoin filed west')).code).toBe(0)
    const path = await file('- cluster: c2\n  region: eu\n')
    const refused = { kind: 'answer', status: 422 } as const
    const fault = lab.sandbox.cluster('c2').faults.order({ method: 'PATCH', times: 99, effect: refused })
    const r = await lab.run(`federation join filed --from-file ${path} --label "note=two words"`)
    fault.remove()
    expect(r.code).toBe(1)
    expect(r.err).toContain("coe --standalone federation join filed --from-file members.yaml --label 'note=two words'")
  })
})

describe('in Magnum mode', () => {
  let cloud: TestCloud
  beforeAll(async () => {
    cloud = await startCloud()
  })
  afterAll(() => cloud.close())

  it('a file may list clusters, and no settings', async () => {
    const r = await cloud.run('federation join f --from-file -', { input: '- cluster: c2\n  region: eu\n' })
    expect([r.code, r.err]).toEqual([2, expect.stringContaining('no settings of members')])
    expect((await cloud.run('federation join nofed --from-file -', { input: '- c2\n' })).code).toBe(3)
  })
})
