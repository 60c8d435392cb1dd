/** The cloud to use: chosen, read from all layers and normalised. */

import { CoeError, usage } from '../../core/errors.ts'
import { didYouMean } from '../../core/text.ts'
import type { World } from '../../core/world.ts'
import { envOf, userPath } from '../paths.ts'
import { fillDomains, guessAuthType, normalAuthType } from './cloud-auth.ts'
import { type CloudChoice, type CloudFlags, chooseCloud, type Preferred, unknownCloud } from './cloud-choice.ts'
import { type CloudFiles, type CloudReader, cloudReader } from './cloud-files.ts'
import {
  entryLayer,
  environmentLayer,
  isTrue,
  knownRegions,
  type Layer,
  mergeLayers,
  optionLayer,
  preferEndpointType,
} from './cloud-layers.ts'
import { asksKeystone } from './login-kinds.ts'

export { type CloudFlags, couldPickCloud, listClouds, type Preferred } from './cloud-choice.ts'
export { type CloudReader, cloudReader } from './cloud-files.ts'
export { type CloudOption, cloudOptions } from './cloud-options.ts'

export interface CloudConfig {
  /** As in clouds.yaml; `envvars` or `options` for a cloud without a file. */
  readonly name: string
  readonly region: string | undefined
  readonly interface: 'public' | 'internal' | 'admin'
  readonly auth_type: string
  /** auth_url, username, password, project_name, …: Keystone's own names, whatever spelling the user wrote. */
  readonly auth: Readonly<Record<string, string>>
  readonly verify: boolean
  /** Absolute paths. */
  readonly cacert: string | undefined
  /** NODE_EXTRA_CA_CERTS, to trust as well if `cacert` is a bundle for all programs rather than this cloud's own. */
  readonly moreAuthorities: string | undefined
  readonly cert: string | undefined
  readonly key: string | undefined
  readonly serviceType: string
  readonly serviceName: string | undefined
  readonly endpointOverride: string | undefined
  /** Magnum's microversion, if the user asks for one. */
  readonly apiVersion: string | undefined
  /** Seconds. */
  readonly apiTimeout: number | undefined
  /** Dotted key (`auth.password`, `region_name`) → the source of its value. */
  readonly origins: ReadonlyMap<string, string>
  /** What chose this cloud: `--os-cloud`, `OS_AUTH_URL`, … */
  readonly chosenBy: string
  readonly files: readonly string[]
  /** For stderr: settings that probably do not do what the user expects. */
  readonly warnings: readonly string[]
}

export async function loadCloud(
  world: World,
  flags: CloudFlags,
  preferred?: Preferred,
  read: CloudReader = cloudReader(world),
): Promise<CloudConfig> {
  const choice = await chooseCloud(world, flags, preferred, read)
  if (choice.kind === 'none') throw nothingChosen(choice)
  const named = choice.kind === 'environment' && choice.named
  const upper = [environmentLayer(world, named), optionLayer(flags)]
  if (choice.kind !== 'entry') {
    const ignored = choice.kind === 'environment' && !named ? ignoredVariables(world) : []
    return finish(world, choice, mergeLayers(upper), undefined, ignored)
  }

  const files = await read()
  const entries = files.entries(choice.name)
  if (!entries.length) throw unknownCloud(choice.name, choice.origin, files)
  const profile = entries.flatMap(e => [e.values.profile ?? e.values.cloud]).find(p => p != null)
  const vendor = profile === undefined ? undefined : await files.profile(String(profile))
  const all = vendor ? [vendor, ...entries] : entries
  const written = mergeLayers([
    ...all.map(entry => entryLayer(entry)),
    ...regionLayer(all, choice.name, mergeLayers(upper)),
  ])
  preferEndpointType(written)
  const merged = mergeLayers([written, ...upper])
  return finish(world, choice, merged, files, files.notes, vendor ? undefined : (profile as string | undefined))
}

/** Warns of variables that users may expect to work, but that coe ignores like the openstack client. */
function ignoredVariables(world: World): string[] {
  const insecure = envOf(world, 'OS_INSECURE')
  if (!isTrue(insecure)) return []
  return ['OS_INSECURE is ignored, as by the openstack client: certificates are verified; --insecure turns that off']
}

/**
 * The settings of the requested region, which must exist, or of the first one. They override the cloud's. A cloud
 * without regions has those of its profile.
 */
function regionLayer(entries: ReturnType<CloudFiles['entries']>, cloud: string, upper: Layer): Layer[] {
  const last = entries.findLast(e => knownRegions(e).length > 0)
  if (!last) return []
  const regions = knownRegions(last)
  const requested = upper.get('region_name')
  const region = requested ? regions.find(r => r.name === requested.value) : regions[0]
  if (!region) {
    const names = regions.map(r => r.name)
    const near = didYouMean(String(requested?.value), names)
    throw usage(`cloud "${cloud}" has no region "${requested?.value}" (from ${requested?.origin})`, {
      hint: `${near ? `${near} ` : ''}regions of ${cloud}: ${names.join(', ')}`,
    })
  }
  const layer = entryLayer(last, region.inside, region.values)
  const origin = `${last.file.path} ${last.title}`
  const known = entryLayer(last).get('region_name')
  layer.set('region_name', { value: region.name, origin: known?.origin ?? origin })
  // a region that the files set for Magnum alone stays, unless the user asks for another
  const forMagnum = mergeLayers(entries.map(entry => entryLayer(entry))).get('service_region_name')
  if (forMagnum && !layer.has('service_region_name')) layer.set('service_region_name', forMagnum)
  return [layer]
}

function finish(
  world: World,
  choice: Exclude<CloudChoice, { kind: 'none' }>,
  layer: Layer,
  files: CloudFiles | undefined,
  notes: readonly string[],
  profile?: string,
): CloudConfig {
  const text = (key: string): string | undefined => layer.get(key)?.value.toString()
  const path = (key: string): string | undefined => {
    const value = text(key)
    return value === undefined ? undefined : userPath(value, world)
  }
  if (!layer.has('auth_type')) layer.set('auth_type', { value: guessAuthType(layer), origin: 'default' })
  const authType = normalAuthType(text('auth_type') as string)
  fillDomains(layer, authType)
  const auth = Object.fromEntries(
    [...layer]
      .filter(([key]) => key.startsWith('auth.'))
      .map(([key, s]) => [key.slice('auth.'.length), String(s.value)]),
  )
  if (auth.auth_url) auth.auth_url = fillIn(auth.auth_url, layer)
  const endpoint = text('endpoint_override')
  checkAddress(choice, authType, auth, endpoint, profile, files)

  checkIdentityVersion(layer)
  refuseServiceProvider(world, layer)

  const verify = layer.get('verify')?.value !== false
  const shared = verify && addBundle(world, layer)
  const warnings = [...notes]
  const insecure = layer.get('insecure')
  if (verify && insecure && isTrue(insecure.value)) {
    warnings.push(
      `insecure is "${insecure.value}" (from ${insecure.origin}), which the openstack client does not take for true: certificates are verified`,
    )
  }
  const passcode = layer.get('auth.passcode')
  if (passcode)
    warnings.push(`the one-time code (from ${passcode.origin}) is not used: coe cannot log in with a second factor`)
  if (!verify && layer.has('cacert')) {
    warnings.push(
      `${layer.get('cacert')?.origin} names a cacert, but ${layer.get('verify')?.origin} turns the verification of certificates off`,
    )
  }
  return {
    name: choice.name,
    region: text('service_region_name') ?? text('region_name'),
    interface: interfaceOf(layer),
    auth_type: authType,
    auth,
    verify,
    cacert: path('cacert'),
    moreAuthorities: shared ? envOf(world, 'NODE_EXTRA_CA_CERTS') : undefined,
    cert: path('cert'),
    key: path('key'),
    serviceType: text('service_type') ?? 'container-infra',
    serviceName: text('service_name'),
    endpointOverride: endpoint && fillIn(endpoint, layer),
    apiVersion: microversionOf(layer),
    apiTimeout: secondsOf(layer),
    origins: new Map([...layer].map(([key, s]) => [key, s.origin])),
    chosenBy: choice.origin,
    files: files?.paths ?? [],
    warnings,
  }
}

/**
 * Adds the bundle that all programs trust by default, like the stock client's TLS library. That library does not read
 * SSL_CERT_FILE, but other programs that use OpenSSL do.
 */
function addBundle(world: World, layer: Layer): boolean {
  if (layer.has('cacert')) return false
  const variable = ['REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'SSL_CERT_FILE'].find(name => envOf(world, name))
  if (variable) layer.set('cacert', { value: envOf(world, variable) as string, origin: variable })
  return variable !== undefined
}

/** Fills other settings into an address: `https://{region_name}.example.com`. */
function fillIn(template: string, layer: Layer): string {
  return template.replace(
    /\{([a-z_]+)\}/g,
    (placeholder, key: string) => layer.get(key)?.value.toString() ?? placeholder,
  )
}

function interfaceOf(layer: Layer): CloudConfig['interface'] {
  const setting = layer.get('service_interface') ?? layer.get('interface')
  const value = (setting?.value.toString() ?? 'public').replace(/URL$/, '')
  if (value === 'public' || value === 'internal' || value === 'admin') return value
  throw usage(`"${setting?.value}" (from ${setting?.origin}) is not an interface`, {
    hint: 'use public, internal or admin',
  })
}

function secondsOf(layer: Layer): number | undefined {
  const setting = layer.get('api_timeout')
  if (!setting) return undefined
  const seconds = Number(setting.value)
  if (Number.isFinite(seconds) && seconds > 0) return seconds
  throw usage(`api_timeout must be a number of seconds, not "${setting.value}" (from ${setting.origin})`)
}

function checkIdentityVersion(layer: Layer): void {
  const setting = layer.get('identity_api_version')
  if (!setting || /^v?3(\.\d+)?$/.test(String(setting.value))) return
  throw usage(`version "${setting.value}" of Keystone's API (from ${setting.origin}) is not supported`, {
    hint: 'use 3, or leave it out: Keystone removed version 2 in 2018',
  })
}

/** Refuses a login through another cloud's Keystone: ignoring the setting would use the wrong cloud. */
function refuseServiceProvider(world: World, layer: Layer): void {
  const variable = envOf(world, 'OS_SERVICE_PROVIDER')
  const provider = variable ? { value: variable, origin: 'OS_SERVICE_PROVIDER' } : layer.get('service_provider')
  if (!provider) return
  throw usage(`logging in to "${provider.value}" through another Keystone (from ${provider.origin}) is not supported`, {
    hint: 'get a token there with "openstack token issue", and give it with OS_TOKEN and that cloud\'s OS_AUTH_URL',
  })
}

/** The openstack client accepts only `1`, which means any 1.x: each request then asks for the version that it needs. */
function microversionOf(layer: Layer): string | undefined {
  const setting = layer.get('api_version')
  const value = setting?.value.toString()
  if (value === undefined || value === '1') return undefined
  if (value === 'latest' || /^1\.\d+$/.test(value)) return value
  throw usage(`"${value}" (from ${setting?.origin}) is not a version of Magnum's API`, {
    hint: 'use a version like 1.10, or latest; without it each request asks for the version that it needs',
  })
}

function checkAddress(
  choice: Exclude<CloudChoice, { kind: 'none' }>,
  authType: string,
  auth: Record<string, string>,
  endpoint: string | undefined,
  profile: string | undefined,
  files: CloudFiles | undefined,
): void {
  const where = files ? `cloud "${choice.name}" in ${files.paths[0]}` : `the cloud given by ${choice.origin}`
  if (!asksKeystone(authType)) {
    if (auth.endpoint || endpoint) return
    throw usage(`${where} has no endpoint, and auth_type ${authType} cannot get one from Keystone`, {
      hint: 'give the address of Magnum: --os-endpoint, OS_ENDPOINT, or endpoint under auth',
    })
  }
  if (auth.auth_url) return
  if (profile) {
    throw usage(`${where} refers to the profile "${profile}", which is in none of your clouds-public.yaml files`, {
      hint: 'add the auth_url of that vendor to the cloud (auth: {auth_url: https://…}); the rest of the entry can stay',
    })
  }
  throw usage(`${where} has no auth_url`, {
    hint: files ? 'add it under auth: in that file, or set OS_AUTH_URL' : 'set OS_AUTH_URL, or give --os-auth-url',
  })
}

function nothingChosen(choice: Extract<CloudChoice, { kind: 'none' }>): CoeError {
  return new CoeError('usage', `no OpenStack cloud to talk to: ${choice.origin}`, {
    hint: 'name one with --os-cloud or OS_CLOUD, source an openrc file, or work without OpenStack: --standalone',
  })
}
