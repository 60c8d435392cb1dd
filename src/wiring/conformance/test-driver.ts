/** `coe driver test`: loads a driver and puts it through its life on simulated clusters. */
import { stat } from 'node:fs/promises'
import { userPath } from '../../config/paths.ts'
import { notFound } from '../../core/errors.ts'
import type { World } from '../../core/world.ts'
import { builtIn } from '../../drivers/built-in.ts'
import { makeDriverApi } from '../../drivers/coe-api.ts'
import type { Driver, DriverApi } from '../../drivers/driver-api.ts'
import { loadExternal } from '../../drivers/external.ts'
import { refuseWritable } from '../../drivers/writable.ts'
import type { DriverCheck, DriverTest } from '../../model/drivers.ts'
import type { BackendDeps } from '../open-backend.ts'
import { testClusters } from './clusters.ts'
import { testFederations } from './federations.ts'
import { makeSuite } from './suite.ts'

export async function testDriver(
  { world, userAgent, secrets }: BackendDeps,
  ref: string,
  { options, labels, deaths, tell }: DriverTest,
): Promise<readonly DriverCheck[]> {
  const { signal } = new AbortController()
  const folders = { assets: undefined, cache: undefined }
  const coe = makeDriverApi({ world, userAgent, signal, addSecret: secrets.addSecret, folders })
  const found = await located(world, ref)
  const suite = makeSuite(tell)
  let driver: Driver | undefined
  await suite.check('loads', 'it can be loaded, and is what it says', async () => {
    driver = await loaded(found, coe)
  })
  if (!driver) return suite.checks
  const tested = { name: driver.name, folder: found.folder, driver, world, options, labels, deaths }
  if (driver.federations) await testFederations(suite, tested)
  if (driver.clusters) await testClusters(suite, tested)
  return suite.checks
}

interface Located {
  folder: string | undefined
  name: string
}

/** A folder, or one that comes with coe. */
async function located(world: World, ref: string): Promise<Located> {
  const folder = userPath(ref, world)
  const isFolder = await stat(folder).then(
    found => found.isDirectory(),
    () => false,
  )
  if (isFolder) return { folder, name: ref }
  if (builtIn.some(({ name }) => name === ref)) return { folder: undefined, name: ref }
  throw notFound(`there is no folder "${ref}", and no driver of that name comes with coe`, {
    hint: 'name the folder that the driver is in: coe driver test ./example_v1',
  })
}

async function loaded({ folder, name }: Located, coe: DriverApi): Promise<Driver> {
  const own = builtIn.find(one => one.name === name)
  if (folder === undefined && own) return (await own.load())(coe)
  await refuseWritable(folder ?? '')
  return loadExternal({ name, folder: folder ?? '', source: 'folder' }, coe)
}
