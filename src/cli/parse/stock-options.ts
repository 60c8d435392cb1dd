/** Hints for options of the openstack client that coe does not have. */

const rules: readonly [RegExp, string][] = [
  [
    /^--os-(?:identity-provider|protocol|client-(?:id|secret)|access-token|openid|discovery-endpoint|device-|redirect-|code|oauth2-|consumer-|service-provider|remote-project|idp-|auth-methods)/,
    'coe does not log in through other identity providers: create an application credential (openstack application credential create), or set OS_TOKEN to a token from "openstack token issue"',
  ],
  [/^--os-[a-z-]+-api-version$/, 'omit it: coe uses only Keystone and Magnum (--os-container-infra-api-version)'],
  [/^--os-(?:beta-command|profile)$/, 'omit it: coe has no such feature'],
]

export const stockOptionHint = (option: string): string | undefined => rules.find(([name]) => name.test(option))?.[1]
