/**
 * The servers that the contract tests: the sandbox, or (COE_E2E=1) the real servers of the environment. Both get
 * requests through coe's own sessions and request functions.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CloudConfig, loadCloud } from '../../../src/config/clouds/clouds.ts'
import { systemClock } from '../../../src/core/time.ts'
import type { Clock, World } from '../../../src/core/world.ts'
import type { Service } from '../../../src/openstack/service.ts'
import { type CloudSession, openSession } from '../../../src/openstack/session.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/sandbox/start.ts'
import { patientClock } from '../../support/cloud.ts'
import { type CallerRole, realClouds, simulatedClouds } from './callers.ts'
import { type Exchanges, exchangeTracer } from './exchanges.ts'

export type { CallerRole }

export const onRealServers = process.env.COE_E2E === '1'

export interface Caller extends Exchanges {
  session: CloudSession
  service: Service
}

export interface Target {
  /** False if the environment names no such server: its tests are skipped. */
  there: boolean
  has(role: CallerRole): boolean
  /** A session with this role, the same each time. */
  as(role: CallerRole): Promise<Caller>
  /** A new session, with changed settings of the role's cloud. */
  open(role: CallerRole, changes?: Partial<CloudConfig>): Promise<Caller>
  /** Waiting by this clock waits for real servers, and advances the sandbox's time. */
  clock: Clock
  sandbox?: Sandbox
  close(): Promise<void>
}

export async function target(): Promise<Target> {
  return onRealServers ? realServers() : simulated()
}

function realServers(): Target {
  const { env } = process
  const has = (role: CallerRole) => Boolean(env[realClouds[role]])
  const world = (role: CallerRole) => worldOf({ ...env, OS_CLOUD: env[realClouds[role]] })
  return { there: has('user'), has, clock: systemClock, ...callers(world), close: async () => {} }
}

/** Time stands still until a test waits by its clock. */
export async function simulated(options: SandboxOptions = {}): Promise<Target> {
  const sandbox = await startSandbox({ speed: 0, ...options })
  const folder = await mkdtemp(join(tmpdir(), 'coe-contract-'))
  const [caFile, cloudsFile] = [join(folder, 'ca.pem'), join(folder, 'clouds.yaml')]
  await writeFile(caFile, sandbox.caPem ?? '')
  await writeFile(cloudsFile, sandbox.cloudsYaml(caFile))
  const clock = patientClock(sandbox)
  const world = (role: CallerRole) =>
    worldOf({ OS_CLIENT_CONFIG_FILE: cloudsFile, OS_CLOUD: simulatedClouds[role] }, clock)
  return {
    there: true,
    has: () => true,
    clock,
    sandbox,
    ...callers(world),
    async close() {
      await sandbox.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function callers(worldFor: (role: CallerRole) => World): Pick<Target, 'as' | 'open'> {
  const known = new Map<CallerRole, Promise<Caller>>()
  const open: Target['open'] = async (role, changes = {}) => {
    const world = worldFor(role)
    const cloud = await loadCloud(world, {})
    const { tracer, ...exchanges } = exchangeTracer()
    const session = openSession({
      cloud: { ...cloud, ...changes },
      world,
      userAgent: 'coe-contract',
      tracer,
      addSecret: () => {},
    })
    // a user who cannot log in has a session, but no service
    const service: Service = {
      url: '',
      signal: new AbortController().signal,
      call: async call => (await session.magnum()).call(call),
      json: async call => (await session.magnum()).json(call),
    }
    return { session, service, ...exchanges }
  }
  return {
    open,
    as(role) {
      const caller = known.get(role) ?? open(role)
      known.set(role, caller)
      return caller
    },
  }
}

const worldOf = (env: World['env'], clock: Clock = systemClock): World => ({
  env,
  cwd: tmpdir(),
  home: env.HOME,
  platform: process.platform,
  pid: process.pid,
  hostname: hostname(),
  clock,
})
