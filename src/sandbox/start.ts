import { systemClock } from '../core/time.ts'
import type { Clock } from '../core/world.ts'
import { createAuthority, type SandboxAuthority } from './authority.ts'
import { createSandboxClock, type SandboxClock } from './clock.ts'
import { createFaults, type Faults } from './faults.ts'
import type { ListenerOptions } from './listener.ts'
import { createLog, type RequestLog } from './log.ts'
import { cloudsYaml } from './openstack/clouds-file.ts'
import { type Openstack, type OpenstackOptions, startOpenstack } from './openstack/openstack.ts'
import { seedCluster, seedTemplate } from './openstack/seed.ts'

export interface SandboxOptions extends OpenstackOptions {
  /** The number of clusters of the demo project at the start: `cluster1`, `cluster2`, … */
  clusters?: number | undefined
  /** True: real TLS, with the sandbox's own CA. */
  tls?: boolean | undefined
  host?: ListenerOptions['host']
  /** How many times faster than real time; 0: time stands still until `clock.advance`. */
  speed?: number | undefined
  /** The clock from which the sandbox's time is derived. */
  baseClock?: Clock | undefined
}

export interface Sandbox {
  authUrl: string
  magnumUrl: string
  /** Undefined without TLS. */
  caPem: string | undefined
  /** Text of a clouds.yaml with a cloud for each user; `caFile` is the file in which the caller stored `caPem`. */
  cloudsYaml(caFile?: string): string
  /** One user's cloud as `OS_*` variables. */
  env(user?: string, project?: string, caFile?: string): Record<string, string>
  openstack: Openstack
  authority: SandboxAuthority
  faults: Faults
  log: RequestLog
  clock: SandboxClock
  close(): Promise<void>
}

/** A simulated cloud in this process, on loopback. `close` removes all of it. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const clock = createSandboxClock({ base: options.baseClock, speed: options.speed })
  const log = createLog(clock)
  const faults = createFaults()
  const wallNow = () => (options.baseClock ?? systemClock).now()
  const authority = await createAuthority(wallNow())
  const tls = options.tls === false ? undefined : await authority.serverCertificate()
  const openstack = await startOpenstack(options, { clock, wallNow, log, faults, tls, host: options.host })
  const { state, accounts, authUrl } = openstack
  const owner = { projectId: accounts.projects.demo.id, userId: accounts.users.demo.id }
  if (options.clusters) {
    const template = seedTemplate(state, owner)
    for (let n = 1; n <= options.clusters; n++) await seedCluster(state, owner, template, { name: `cluster${n}` })
  }
  const region = options.regions?.[0] ?? 'RegionOne'
  return {
    authUrl,
    magnumUrl: openstack.magnumUrl,
    caPem: tls && authority.certificate,
    cloudsYaml: caFile => cloudsYaml(accounts, { authUrl, caFile, region }),
    env: (user = 'demo', project = 'demo', caFile) => ({
      OS_AUTH_URL: authUrl,
      OS_USERNAME: user,
      OS_PASSWORD: accounts.password,
      OS_PROJECT_NAME: project,
      OS_USER_DOMAIN_NAME: 'Default',
      OS_PROJECT_DOMAIN_NAME: 'Default',
      OS_IDENTITY_API_VERSION: '3',
      OS_REGION_NAME: region,
      ...(caFile === undefined ? {} : { OS_CACERT: caFile }),
    }),
    openstack,
    authority,
    faults,
    log,
    clock,
    close: async () => {
      clock.stop()
      await openstack.close()
    },
  }
}
