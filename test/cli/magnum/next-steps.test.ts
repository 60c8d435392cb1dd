/** Errors name the command that comes next: for people as a line, for programs as data. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startCloud, type TestCloud } from '../../support/cloud.ts'

let cloud: TestCloud
beforeAll(async () => {
  cloud = await startCloud()
})
afterAll(() => cloud.close())

const fails = async (line: string) => {
  const { code, err } = await cloud.run(line)
  return { code, err }
}

it('in JSON with its words, its arguments, the reason and the line', async () => {
  const { code, err } = await fails('cluster update cluster1 -f json')
  const { error } = JSON.parse(err)
  expect([code, error.exit_code]).toEqual([2, 2])
  expect(error.next).toEqual([
    {
      program: 'coe',
      words: ['cluster', 'update'],
      args: ['cluster1', { option: 'node-count', value: 'N' }],
      why: 'for example',
      line: 'coe cluster update cluster1 --node-count N',
    },
  ])
  // the text that scripts know has the line as well
  expect(error.hint).toBe('for example: coe cluster update cluster1 --node-count N')
})

it('in text below the message', async () => {
  const { err } = await fails('cluster update cluster1')
  expect(err).toBe('coe: nothing to update\nhint: for example: coe cluster update cluster1 --node-count N\n')
})

it('and nothing where there is nothing to run', async () => {
  const { err } = await fails('cluster list --limit none -f json')
  expect(JSON.parse(err).error).not.toHaveProperty('next')
})
