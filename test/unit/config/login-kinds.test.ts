import { expect, it } from 'vitest'
import { asksKeystone, loginKind, loginKinds } from '../../../src/config/clouds/login-kinds.ts'
import { authRequest } from '../../../src/openstack/auth-request.ts'

it.each(Object.keys(loginKinds))('%s has a request exactly when it asks Keystone', type => {
  const auth = {
    username: 'u',
    password: 'p',
    token: 't',
    application_credential_id: 'i',
    application_credential_secret: 's',
  }
  if (asksKeystone(type)) expect(authRequest(type, auth).body.auth.identity.methods).toHaveLength(1)
  else expect(() => authRequest(type, auth)).toThrow('is not supported')
})

it('does not cache a token from the user', () => {
  const types = Object.keys(loginKinds).filter(type => loginKind(type)?.byToken)
  expect(types).toEqual(['token', 'v3token', 'admin_token', 'token_endpoint'])
  expect(types.filter(type => loginKind(type)?.cached)).toEqual([])
})

it('refuses an unknown kind on use', () => {
  expect([loginKind('v3totp'), loginKind('toString')]).toEqual([undefined, undefined])
  expect(asksKeystone('v3totp')).toBe(true)
  expect(() => authRequest('v3totp', {})).toThrow('the auth type "v3totp" is not supported')
})
