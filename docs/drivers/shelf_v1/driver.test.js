// node --test: the driver alone, with a hand-made `coe` argument.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import make from './driver.js'

/** @param {string} folder */
const driverOver = folder => {
  const coe = {
    world: { env: { SHELF_FOLDER: folder }, home: '/nowhere' },
    context: async (/** @type {string | undefined} */ name, /** @type {string} */ file) => ({ name, file }),
  }
  return make(/** @type {any} */ (coe))
}

test('clusters are the files of the folder', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'shelf-'))
  t.after(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'prod.yaml'), '')
  await writeFile(join(folder, 'notes.txt'), '')
  const { clusters } = driverOver(folder)
  assert.deepEqual(await clusters?.list(), [{ name: 'prod' }])
  assert.deepEqual(await clusters?.find('prod'), { name: undefined, file: join(folder, 'prod.yaml') })
})

test('what is not there is left to other drivers', async () => {
  const { clusters } = driverOver(join(tmpdir(), 'no-such-folder'))
  assert.deepEqual(await clusters?.list(), [])
  assert.equal(await clusters?.find('../prod'), undefined)
})
