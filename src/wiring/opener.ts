/** Opens the cloud, the backend and the drivers that the user's command line and configuration name. Commands and completion use it. */
import type { Host } from '../cli/host.ts'
import { preferredCloud } from '../cli/mode.ts'
import { cloudFlags, type Globals } from '../cli/options/globals.ts'
import { version } from '../cli/version.ts'
import { type CloudReader, cloudReader, couldPickCloud } from '../config/clouds/clouds.ts'
import type { Settings } from '../config/settings.ts'
import type { World } from '../core/world.ts'
import type { Tracer } from '../http/trace.ts'
import type { Log } from '../io/log.ts'
import type { Redactor } from '../io/redact.ts'
import type { Backend, Mode } from '../model/backend.ts'
import type { Drivers } from '../model/drivers.ts'
import type { CloudSession } from '../openstack/session.ts'
import { type BackendDeps, openBackend } from './open-backend.ts'

export interface OpenerInput {
  host: Host
  globals: Globals
  settings(): Promise<Settings>
  secrets: Redactor
  tracer?: Tracer | undefined
  log: Pick<Log, 'warn' | 'info'>
  /** True if coe may ask the user for a password. */
  interactive: boolean
}

export interface Opener {
  /** clouds.yaml and secure.yaml, read once. */
  readonly clouds: CloudReader
  /** The one session of the run. */
  cloud(): Promise<CloudSession>
  backend(mode: Mode): Promise<Backend>
  /** Drivers to list and show; needs no server, cloud or kubeconfig. */
  drivers(): Promise<Drivers>
}

export function makeOpener(user: OpenerInput): Opener {
  const { host, globals, secrets, tracer, log } = user
  const userAgent = `coe/${version} node/${host.versions.node}`
  const clouds = cloudReader(host.world)
  let session: Promise<CloudSession> | undefined
  const cloud = () => {
    session ??= Promise.all([import('./magnum-mode.ts'), user.settings()]).then(([{ openCloud }, settings]) =>
      openCloud({ ...user, userAgent, settings, clouds }),
    )
    return session
  }
  const makeDeps = async (): Promise<BackendDeps> => ({
    world: worldOf(host.world, globals),
    settings: await user.settings(),
    userAgent,
    secrets,
    tracer,
    cloud,
    warn: text => log.warn(text),
  })
  return {
    clouds,
    cloud,
    async backend(mode) {
      const deps = await makeDeps()
      const { picked } =
        mode === 'magnum'
          ? { picked: true }
          : await couldPickCloud(host.world, cloudFlags(globals), preferredCloud(deps.settings), clouds)
      return openBackend(mode, picked ? deps : { ...deps, cloud: undefined })
    },
    async drivers() {
      const [{ openDrivers }, given] = await Promise.all([import('./open-drivers.ts'), makeDeps()])
      return openDrivers(given)
    },
  }
}

const worldOf = (world: World, { kubeconfig }: Globals): World =>
  kubeconfig === undefined ? world : { ...world, env: { ...world.env, KUBECONFIG: kubeconfig } }
