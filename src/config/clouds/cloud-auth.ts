/** Fills in what the settings leave open for a login to Keystone. */
import type { Layer } from './cloud-layers.ts'
import { loginKind } from './login-kinds.ts'

const defaultDomain = 'default'

/**
 * Guesses the type of login. openstacksdk requires it to be set, and says "missing value" although the credentials are
 * complete.
 */
export function guessAuthType(layer: Layer): string {
  const has = (key: string) => layer.has(`auth.${key}`)
  if (has('application_credential_secret') && !has('password')) return 'v3applicationcredential'
  if (has('token') && has('endpoint')) return 'admin_token'
  if (has('token') && !has('password')) return 'token'
  return 'password'
}

export function normalAuthType(type: string): string {
  if (/^(?:none|null|noauth)$/i.test(type)) return 'none'
  return type === 'token_endpoint' ? 'admin_token' : type
}

/**
 * Adds the domains that Keystone needs beside names: the cloud's domain, else the default one, like the openstack
 * client.
 */
export function fillDomains(layer: Layer, authType: string): void {
  const has = (key: string) => layer.has(`auth.${key}`)
  const copy = (to: string, from: string) => {
    const setting = layer.get(`auth.${from}`)
    if (setting) layer.set(`auth.${to}`, setting)
  }
  const hasProject = has('project_id') || has('project_name')
  const sides = ['user', 'project'] as const
  const missing = (side: string) => !has(`${side}_domain_id`) && !has(`${side}_domain_name`)
  if (hasProject) {
    // beside a project, `domain_*` is not a scope but a short form for both domains
    for (const form of ['id', 'name'])
      for (const side of sides) if (missing(side)) copy(`${side}_domain_${form}`, `domain_${form}`)
    layer.delete('auth.domain_id')
    layer.delete('auth.domain_name')
  }
  if (loginKind(authType)?.domains) {
    const fallback = layer.get('default_domain') ?? { value: defaultDomain, origin: 'default' }
    for (const side of sides) {
      if (!has(side === 'user' ? 'username' : 'project_name') || !missing(side)) continue
      if (has('default_domain_id')) copy(`${side}_domain_id`, 'default_domain_id')
      else if (has('default_domain_name')) copy(`${side}_domain_name`, 'default_domain_name')
      else layer.set(`auth.${side}_domain_id`, fallback)
    }
  }
  layer.delete('auth.default_domain_id')
  layer.delete('auth.default_domain_name')
}
