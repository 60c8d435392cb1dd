// node --test: plans are data, so a test can check what they would do without a cluster.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import make from './driver.js'

/** @type {any} */
const coe = { errors: { conflict: (/** @type {string} */ message) => new Error(message) } }
const { federations } = make(coe)
/** @type {any} */
const site = { name: 'myfed', namespace: 'coe-fed-myfed', settings: { 'member-role': 'view' }, owner: {}, host: {} }
const resume = { words: ['federation', 'join'], args: ['myfed', 'c2'], why: 'resume' }

test('a member gets an account with the role that was asked for', async () => {
  /** @type {any} */
  const request = { name: 'c2', uid: 'u2', labels: {}, access: { server: 'https://c2:6443' }, member: {} }
  const plan = await federations?.open(site).join(request, { resume })
  assert.deepEqual(plan?.steps.map(step => step.id), ['role', 'account', 'keys', 'entry'])
  const [binding] = (await plan?.steps[0]?.want?.({})) ?? []
  assert.equal(binding?.roleRef.name, 'view')
})

test('a member that is gone leaves only the list', async () => {
  const plan = await federations?.open(site).unjoin({ name: 'c2', workloads: 'keep', force: true }, { resume })
  assert.deepEqual(plan?.steps.map(step => step.id), ['entry'])
})

test('settings that are kept can be given again', () => {
  const kept = federations?.settings({})
  assert.deepEqual(federations?.settings(kept ?? {}), kept)
})
