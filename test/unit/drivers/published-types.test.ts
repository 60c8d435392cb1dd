/** docs/drivers/coe.d.ts is what others write drivers against: it must promise no more than coe gives, and no less than it takes. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import type * as published from '../../../docs/drivers/coe.d.ts'
import { makeDriverApi } from '../../../src/drivers/coe-api.ts'
import type * as own from '../../../src/drivers/driver-api.ts'
import type { ClusterApi as OwnClusterApi } from '../../../src/kube/api/cluster-api.ts'
import { kubeWorld } from '../../support/kube.ts'

declare module '../../../docs/drivers/coe.d.ts' {
  // drivers make none of these: what they hand back they were given
  interface ClusterApi extends OwnClusterApi {}
}

// "npm run check" fails here when the two part
const given = (api: own.DriverApi): published.DriverApi => api
const taken = (driver: published.Driver): own.Driver => driver
const asked = (site: own.FederationSite, join: own.JoinRequest, leave: own.UnjoinRequest) =>
  [site, join, leave] satisfies [published.FederationSite, published.JoinRequest, published.UnjoinRequest]
/** What is optional could be left out above without anybody noticing. */
type Unpublished =
  | Exclude<keyof own.Driver, keyof published.Driver>
  | Exclude<keyof own.ClusterDriver, keyof published.ClusterDriver>
  | Exclude<keyof own.FederationDriver, keyof published.FederationDriver>
  | Exclude<keyof own.FederationSite, keyof published.FederationSite>
const allPublished: [Unpublished] extends [never] ? true : never = true

it('the published types name all that a driver is given', () => {
  const api = makeDriverApi({
    world: kubeWorld(),
    userAgent: 'coe/test',
    signal: new AbortController().signal,
    addSecret: () => {},
    folders: { assets: undefined, cache: undefined },
  })
  expect([given, taken, asked].every(check => typeof check === 'function') && allPublished).toBe(true)
  const text = readFileSync(fileURLToPath(new URL('../../../docs/drivers/coe.d.ts', import.meta.url)), 'utf8')
  const described = /interface DriverApi \{([\s\S]*?)\n\}/.exec(text)?.[1] ?? ''
  const unnamed = Object.keys(api).filter(key => !new RegExp(`^ {2}(readonly )?${key}\\b`, 'm').test(described))
  expect(unnamed).toEqual([])
})
