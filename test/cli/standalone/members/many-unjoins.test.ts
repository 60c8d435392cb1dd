/** An unjoin of more members than its history names in words, run again: names that only the federation knew. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type StandaloneLab, startLab } from '../../../support/standalone.ts'

const contexts = Array.from({ length: 12 }, (_, i) => `c${i + 2}`)
const names = contexts.map(context => `west-${context}`)
let lab: StandaloneLab
beforeAll(async () => {
  lab = await startLab({ members: contexts.length })
  expect((await lab.run('federation create myfed --host host --expose nodeport')).code).toBe(0)
  const list = contexts.map(context => ({ cluster: context, name: `west-${context}` }))
  await writeFile(join(lab.home, 'members.yaml'), JSON.stringify(list))
  expect((await lab.run(`federation join myfed --from-file ${join(lab.home, 'members.yaml')}`)).code).toBe(0)
})
afterAll(() => lab.close())

it('finds each of them unjoined already', async () => {
  const line = `federation unjoin myfed ${names.join(' ')}`
  expect((await lab.run(line)).code).toBe(0)
  const again = await lab.run(`${line} -f json`)
  expect([again.code, again.err]).toEqual([0, expect.not.stringContaining('neither a member')])
  expect(JSON.parse(again.out).map((row: { result: string }) => row.result)).toEqual(names.map(() => 'unchanged'))
})

it('a name that was never one is not found still', async () => {
  expect((await lab.run('federation unjoin myfed west-c99')).code).toBe(3)
})
