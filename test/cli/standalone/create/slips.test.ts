/** Slips of the fingers: words swapped or misspelt, a federation's API for a cluster, five bytes of storage. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startCloud } from '../../../support/cloud.ts'
import { type StandaloneLab, startLab } from '../../../support/standalone.ts'

let lab: StandaloneLab
beforeAll(async () => {
  lab = await startLab()
  expect((await lab.run('federation create myfed --host host --expose nodeport')).code).toBe(0)
})
afterAll(() => lab.close())

const fails = async (line: string) => {
  const { code, err } = await lab.run(line)
  return [code, err]
}
const says = (text: string) => expect.stringContaining(text)

describe('words in the wrong order', () => {
  it.each(['join', 'unjoin'])('of federation %s are told, with the line that was meant', async verb => {
    expect(await fails(`federation ${verb} c2 c3 myfed`)).toEqual([
      3,
      says(
        `hint: "c2" is a cluster; the federation comes first\ndid you mean: coe --standalone federation ${verb} myfed c2 c3\n`,
      ),
    ])
  })

  it('are told in Magnum mode, too', async () => {
    const cloud = await startCloud({ clusters: 2, tls: false, federation: 'working' })
    expect((await cloud.run('federation create fed --hostcluster cluster1')).code).toBe(0)
    const { code, err } = await cloud.run('federation join cluster2 fed')
    expect([code, err]).toEqual([3, says('did you mean: coe federation join fed cluster2\n')])
    await cloud.close()
  })

  it('are not suspected where no federation is among them', async () => {
    const [code, err] = await fails('federation join c2 c3')
    expect([code, err]).toEqual([3, expect.not.stringContaining('comes first')])
  })

  it.each(['join', 'unjoin'])("kubefed's %s with both says how it is said", async verb => {
    expect(await fails(`${verb} c2 myfed`)).toEqual([2, says(`coe ${verb} c2 --federation myfed\nif the federation`)])
    expect(await fails(`${verb} myfed c2`)).toEqual([2, says(`: coe federation ${verb} myfed c2\n`)])
  })
})

it('a misspelt federation is recognised on a machine that has never seen it', async () => {
  await rm(join(lab.home, '.local'), { recursive: true, force: true })
  await writeFile(lab.kubeconfig, lab.sandbox.kubeconfig)
  expect(await fails('federation show myfde')).toEqual([3, says('hint: did you mean "myfed"?\n')])
})

describe("a federation's API in place of a cluster", () => {
  beforeAll(async () => {
    expect((await lab.run('federation kubeconfig myfed --merge')).code).toBe(0)
    expect((await lab.run('federation create other --host host --expose nodeport')).code).toBe(0)
  })

  it('hosts no federation', async () => {
    const [code, err] = await fails('federation create third --host myfed --expose nodeport')
    expect([code, err]).toEqual([
      1,
      says('cannot create federation "third": this is the API of a federation, not a cluster: it has no nodes'),
    ])
    expect(err).not.toContain('StorageClass')
  })

  it('is no member, of itself or of another', async () => {
    expect(await fails('federation join myfed myfed')).toEqual([
      1,
      says('this is the API of federation "myfed" itself'),
    ])
    const [code, err] = await fails('federation join other myfed')
    expect([code, err]).toEqual([1, says('"myfed" is the API of another federation, not a cluster')])
    expect(err).not.toContain('kubectl delete')
  })
})

describe('coe init speaks the words of kubefed', () => {
  it.each([
    ['init', '"coe init" needs <name>\nhint: usage: coe init <name> --host-cluster-context <cluster>'],
    ['init x', '"coe init" needs --host-cluster-context'],
  ])('%s', async (line, text) => {
    expect(await fails(line)).toEqual([2, says(text)])
  })
})

it.each([
  ['federation init x', 'did you mean "federation create"?'],
  ['federation rm x', 'did you mean "federation delete"?'],
  ['cluster ls', 'did you mean "cluster list"?'],
  ['federation leave x c2', 'did you mean "federation unjoin"?'],
  ['federation constructor', 'there are: '],
])('%s suggests the word that coe has', async (line, text) => {
  expect(await fails(line)).toEqual([2, says(text)])
})

it.each([
  ['5', '--storage-size 5 is 5 bytes, less than etcd needs: 100M is the least\nhint: did you mean 5Gi?'],
  ['20Mi', '--storage-size 20Mi is less than etcd needs'],
])('--storage-size %s is refused', async (size, text) => {
  expect(await fails(`federation create small --host c3 --expose nodeport --storage-size ${size}`)).toEqual([
    2,
    says(text),
  ])
})
