/** Rows for all settings in effect: coe's own, the cloud's, and the locations of files. */
import type { Row } from '../../cli/spec.ts'
import { isSecretKey } from '../../config/clouds/cloud-options.ts'
import type { CloudConfig } from '../../config/clouds/clouds.ts'
import { kubeconfigPaths } from '../../config/kubeconfig/kubeconfig-read.ts'
import { coePaths, envOf } from '../../config/paths.ts'
import type { Settings } from '../../config/settings.ts'
import { formatDuration } from '../../core/time.ts'
import type { World } from '../../core/world.ts'
import { isSecretName } from '../../io/redact-names.ts'

export const hidden = '(hidden)'

const row = (key: string, value: unknown, origin: string): Row => ({ key, value: value ?? null, origin })

export function settingRows(settings: Settings): Row[] {
  return settings.all().map(({ spec, setting }) => {
    const { value, origin } = setting
    if (value === undefined) return row(spec.key, null, 'not set')
    if (spec.secret) return row(spec.key, hidden, origin)
    return row(spec.key, spec.type === 'duration' ? formatDuration(value as number) : value, origin)
  })
}

/** The cloud's settings, merged from all sources, under their names in clouds.yaml. */
export function cloudRows(cloud: CloudConfig): Row[] {
  const origin = (...keys: string[]) => keys.map(k => cloud.origins.get(k)).find(o => o !== undefined) ?? 'default'
  const fields: [string, unknown, string][] = [
    ['auth_type', cloud.auth_type, origin('auth_type')],
    ...Object.entries(cloud.auth).map(([k, v]): [string, unknown, string] => [`auth.${k}`, v, origin(`auth.${k}`)]),
    ['region_name', cloud.region, origin('service_region_name', 'region_name')],
    ['interface', cloud.interface, origin('service_interface', 'interface')],
    ['verify', cloud.verify, origin('verify')],
    ['cacert', cloud.cacert, origin('cacert')],
    ['cert', cloud.cert, origin('cert')],
    ['key', cloud.key, origin('key')],
    ['service_type', cloud.serviceType, origin('service_type')],
    ['service_name', cloud.serviceName, origin('service_name')],
    ['endpoint_override', cloud.endpointOverride, origin('endpoint_override')],
    ['api_version', cloud.apiVersion, origin('api_version')],
    ['api_timeout', cloud.apiTimeout, origin('api_timeout')],
  ]
  return [
    row('openstack.cloud', cloud.name, cloud.chosenBy),
    ...fields
      .filter(([, value]) => value !== undefined)
      .map(([key, value, from]) => row(`openstack.${key}`, isSecret(key) ? hidden : value, from)),
  ]
}

/** `key` is excluded because it is the path of a file. Other tools may put secrets under any name in `auth`. */
const isSecret = (key: string): boolean => key !== 'key' && (isSecretKey(key) || isSecretName(key.replace('auth.', '')))

export function placeRows(world: World, settings: Settings, kubeconfig: string | undefined): Row[] {
  const { cache, state } = coePaths(world)
  const firstSet = (...variables: string[]) => variables.find(name => envOf(world, name)) ?? 'default'
  const files = kubeconfigPaths(world, { kubeconfig })
  return [
    row('files.config', settings.file, firstSet('COE_CONFIG', 'COE_CONFIG_DIR', 'XDG_CONFIG_HOME')),
    row('files.kubeconfig', files.join(':') || null, kubeconfig ? '--kubeconfig' : firstSet('KUBECONFIG')),
    row('folders.cache', cache, firstSet('COE_CACHE_DIR', 'XDG_CACHE_HOME')),
    row('folders.state', state, firstSet('COE_STATE_DIR', 'XDG_STATE_HOME')),
  ]
}
