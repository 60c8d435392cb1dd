/** Options of the openstack client that coe has no use for: what to do without them. */

const rules: readonly [RegExp, string][] = [
  [
    /^--os-(?:identity-provider|protocol|client-(?:id|secret)|access-token|openid|discovery-endpoint|device-|redirect-|code|oauth2-|consumer-|service-provider|remote-project|idp-|auth-methods)/,
    'logins through other identity providers are not built in: make an application credential (openstack application credential create), or give a token (OS_TOKEN) from "openstack token issue"',
  ],
  [
    /^--os-[a-z-]+-api-version$/,
    'leave it out: coe talks to Keystone and Magnum only (--os-container-infra-api-version)',
  ],
  [/^--os-(?:beta-command|profile)$/, 'leave it out: coe has nothing of the kind'],
]

export const stockOptionHint = (option: string): string | undefined => rules.find(([name]) => name.test(option))?.[1]
