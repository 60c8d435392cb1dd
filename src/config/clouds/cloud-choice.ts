/** Chooses the cloud from options, environment and files alone, without network access. */

import { type CoeError, notFound } from '../../core/errors.ts'
import { didYouMean, someOf } from '../../core/text.ts'
import type { World } from '../../core/world.ts'
import { envOf } from '../paths.ts'
import { type CloudFiles, type CloudReader, cloudReader, readCloudFiles } from './cloud-files.ts'

export type CloudFlags = Readonly<Record<string, string | boolean | undefined>>

export interface Preferred {
  value: string
  origin: string
}

export type CloudChoice =
  /** An entry of clouds.yaml. */
  | { kind: 'entry'; name: string; origin: string }
  /** The OS_* variables define the cloud; no file is read. `named`: OS_CLOUD or --os-cloud names it. */
  | { kind: 'environment'; name: string; origin: string; named: boolean }
  /** Options alone define the cloud. */
  | { kind: 'options'; name: string; origin: string }
  /** No cloud is named; `several`: more than one is configured. */
  | { kind: 'none'; origin: string; several: boolean }

/**
 * Any of these variables makes the environment a cloud. openstacksdk takes any OS_* variable for one, and then fails
 * without an address when a user has merely set OS_INTERFACE beside a good clouds.yaml.
 */
const identifying = [
  ...['OS_AUTH_URL', 'OS_ENDPOINT', 'OS_URL', 'OS_TOKEN', 'OS_AUTH_TOKEN', 'OS_USERNAME', 'OS_USER_ID'],
  ...['OS_APPLICATION_CREDENTIAL_ID', 'OS_APPLICATION_CREDENTIAL_NAME'],
]

const flagText = (flags: CloudFlags, name: string): string | undefined => {
  const value = flags[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export async function chooseCloud(
  world: World,
  flags: CloudFlags,
  preferred?: Preferred,
  read: CloudReader = cloudReader(world),
): Promise<CloudChoice> {
  const environment = identifying.find(name => envOf(world, name))
  const environmentName = envOf(world, 'OS_CLOUD_NAME') ?? 'envvars'
  const flag = flagText(flags, 'os-cloud')
  const variable = envOf(world, 'OS_CLOUD')
  const named = flag ?? variable
  if (named !== undefined && !(environment && named === environmentName)) {
    return { kind: 'entry', name: named, origin: flag === undefined ? 'OS_CLOUD' : '--os-cloud' }
  }
  if (environment) {
    return { kind: 'environment', name: environmentName, origin: environment, named: named !== undefined }
  }
  // an address on the command line is the complete cloud: a password in a file is not meant for that server
  const address = ['os-auth-url', 'os-endpoint'].find(o => flagText(flags, o))
  if (address) return { kind: 'options', name: 'options', origin: `--${address}` }
  if (preferred) return { kind: 'entry', name: preferred.value, origin: preferred.origin }
  const files = await read()
  const [only] = files.names
  if (only !== undefined && files.names.length === 1) {
    return { kind: 'entry', name: only, origin: `the only cloud in ${files.paths.join(' and ')}` }
  }
  const origin = files.names.length
    ? `none of the clouds in ${files.paths.join(' and ')} is chosen: ${someOf(files.names)}`
    : `no clouds.yaml in ${files.folders.join(', ')}, and no OS_AUTH_URL`
  return { kind: 'none', origin, several: files.names.length > 0 }
}

/** Whether openstacksdk would find a cloud, and by which setting. */
export async function couldPickCloud(
  world: World,
  flags: CloudFlags,
  preferred?: Preferred,
  read?: CloudReader,
): Promise<{ picked: boolean; several: boolean; why: string }> {
  const choice = await chooseCloud(world, flags, preferred, read)
  const none = choice.kind === 'none'
  return { picked: !none, several: none && choice.several, why: choice.origin }
}

/** The names to suggest, including the environment if it is a cloud. */
export async function listClouds(world: World): Promise<string[]> {
  const { names } = await readCloudFiles(world)
  const environment = identifying.some(name => envOf(world, name))
  return environment ? [...names, envOf(world, 'OS_CLOUD_NAME') ?? 'envvars'] : [...names]
}

export function unknownCloud(name: string, origin: string, files: CloudFiles): CoeError {
  const which = `cloud "${name}" (from ${origin})`
  if (!files.paths.length) {
    const notes = files.notes.map(note => `${note}; `).join('')
    return notFound(`${which}: there is no clouds.yaml`, { hint: `${notes}looked in ${files.folders.join(', ')}` })
  }
  const near = didYouMean(name, files.names)
  const available = files.names.length ? `its clouds: ${someOf(files.names)}` : 'it has no clouds'
  return notFound(`${which} is not in ${files.paths.join(' or ')}`, { hint: near ? `${near} ${available}` : available })
}
