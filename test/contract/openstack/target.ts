/**
 * Who the contract is held against: the sandbox, or (COE_E2E=1) the real servers that the environment names. Requests go
 * through coe's own sessions and request functions; what is behind them is all that differs.
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
import { type Exchanges, exchangeTracer } from './exchanges.ts'
import { type Person, realClouds, simulatedClouds } from './people.ts'

export type { Person }

export const onRealServers = process.env.COE_E2E === '1'

export interface Caller extends Exchanges {
  session: CloudSession
  service: Service
}

export interface Target {
  /** False: the environment names no such server, and its tests are skipped. */
  there: boolean
  has(person: Person): boolean
  /** A session as that person, the same each time. */
  as(person: Person): Promise<Caller>
  /** A session of its own, with other settings than the person's cloud has. */
  open(person: Person, changes?: Partial<CloudConfig>): Promise<Caller>
  /** Whoever waits by it waits for real servers, and moves the sandbox's time on. */
  clock: Clock
  sandbox?: Sandbox
  close(): Promise<void>
}

export async function target(): Promise<Target> {
  return onRealServers ? realServers() : simulated()
}

function realServers(): Target {
  const { env } = process
  const has = (person: Person) => Boolean(env[realClouds[person]])
  const world = (person: Person) => worldOf({ ...env, OS_CLOUD: env[realClouds[person]] })
  return { there: has('user'), has, clock: systemClock, ...callers(world), close: async () => {} }
}

/** Time stands still until somebody waits by its clock. */
export async function simulated(options: SandboxOptions = {}): Promise<Target> {
  const sandbox = await startSandbox({ speed: 0, ...options })
  const folder = await mkdtemp(join(tmpdir(), 'coe-contract-'))
  const [caFile, cloudsFile] = [join(folder, 'ca.pem'), join(folder, 'clouds.yaml')]
  await writeFile(caFile, sandbox.caPem ?? '')
  await writeFile(cloudsFile, sandbox.cloudsYaml(caFile))
  const clock = patientClock(sandbox)
  const world = (person: Person) =>
    worldOf({ OS_CLIENT_CONFIG_FILE: cloudsFile, OS_CLOUD: simulatedClouds[person] }, clock)
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

function callers(worldFor: (person: Person) => World): Pick<Target, 'as' | 'open'> {
  const known = new Map<Person, Promise<Caller>>()
  const open: Target['open'] = async (person, changes = {}) => {
    const world = worldFor(person)
    const cloud = await loadCloud(world, {})
    const { tracer, ...exchanges } = exchangeTracer()
    const session = openSession({
      cloud: { ...cloud, ...changes },
      world,
      userAgent: 'coe-contract',
      tracer,
      addSecret: () => {},
    })
    // whoever cannot log in has a session, and no service
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
    as(person) {
      const caller = known.get(person) ?? open(person)
      known.set(person, caller)
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
