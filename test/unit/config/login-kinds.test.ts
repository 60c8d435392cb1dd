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

it('keeps no token that the user gave', () => {
  const given = Object.keys(loginKinds).filter(type => loginKind(type)?.byToken)
  expect(given).toEqual(['token', 'v3token', 'admin_token', 'token_endpoint'])
  expect(given.filter(type => loginKind(type)?.kept)).toEqual([])
})

it('refuses a kind that it does not know when it is used', () => {
  expect([loginKind('v3totp'), loginKind('toString')]).toEqual([undefined, undefined])
  expect(asksKeystone('v3totp')).toBe(true)
  expect(() => authRequest('v3totp', {})).toThrow('the auth type "v3totp" is not supported')
})
