/** The real clusters of the environment: all of `host`, `c2` and `c3` in KUBECONFIG, or none. */
import { hostname } from 'node:os'
import { type Kubeconfig, loadKubeconfig } from '../../../src/config/kubeconfig/kubeconfig.ts'
import { systemClock } from '../../../src/core/time.ts'
import type { World } from '../../../src/core/world.ts'

const contexts = ['host', 'c2', 'c3']

export const world: World = {
  env: process.env,
  cwd: process.cwd(),
  home: process.env.HOME,
  platform: process.platform,
  pid: process.pid,
  hostname: hostname(),
  clock: systemClock,
}

export async function realContexts(): Promise<Kubeconfig | undefined> {
  if (!process.env.KUBECONFIG) return undefined
  const config = await loadKubeconfig(world)
  return contexts.every(name => config.contexts.has(name)) ? config : undefined
}
