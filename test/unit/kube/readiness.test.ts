/** Kinds that coe does not know are judged by what they say of themselves. */
import { expect, it } from 'vitest'
import { judge } from '../../../src/kube/waiting/readiness.ts'

const machine = (status: object | undefined, generation = 2) => ({
  apiVersion: 'cluster.example/v1',
  kind: 'Machine',
  metadata: { name: 'm', generation },
  ...(status ? { status } : {}),
})
const condition = (type: string, status: string, more: object = {}) => ({ type, status, ...more })

it('is ready as soon as it is stored, where it says nothing', () => {
  expect(judge(machine(undefined)).ready).toBe(true)
  expect(judge(machine({ conditions: [condition('Synced', 'False')] })).ready).toBe(true)
})

it('is ready when its Ready condition says so, else its Available condition', () => {
  expect(judge(machine({ conditions: [condition('Ready', 'True')] })).ready).toBe(true)
  expect(judge(machine({ conditions: [condition('Available', 'True')] })).ready).toBe(true)
  const both = [condition('Available', 'True'), condition('Ready', 'False', { reason: 'NoServer', message: 'quota' })]
  expect(judge(machine({ conditions: both }))).toMatchObject({
    ready: false,
    why: expect.stringContaining('NoServer: quota'),
  })
  expect(judge(machine({ conditions: [condition('Available', 'Unknown')] })).ready).toBe(false)
})

it('is not ready while its conditions speak of an older generation', () => {
  const conditions = [condition('Ready', 'True')]
  const late = { ready: false }
  expect(judge(machine({ observedGeneration: 1, conditions }))).toMatchObject(late)
  expect(judge(machine({ observedGeneration: 2, conditions })).ready).toBe(true)
  expect(judge(machine({ conditions: [condition('Ready', 'True', { observedGeneration: 1 })] }))).toMatchObject(late)
  const own = [condition('Ready', 'True', { observedGeneration: 2 })]
  expect(judge(machine({ observedGeneration: 1, conditions: own })).ready).toBe(true)
})
