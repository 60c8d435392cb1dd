/** The names whose values are secret: one list for headers, bodies, settings and addresses. */

const headers = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-auth-token',
  'x-subject-token',
  'x-service-token',
  'x-storage-token',
  'x-trust-id',
  'openstack-auth-receipt',
  'x-openstack-auth-receipt',
])

export const isSecretHeader = (name: string): boolean => headers.has(name.toLowerCase())

/** Compared without case, `-` and `_`: `client-key-data`, `clientKeyData` and `CLIENT_KEY_DATA` are the same name. */
const names = new Set([
  'password',
  'passwd',
  'passcode',
  'passphrase',
  'adminpass',
  'userpassword',
  'originalpassword',
  'dockerpassword',
  'secret',
  'clientsecret',
  'secretkey',
  'secretaccesskey',
  'applicationcredentialsecret',
  'appcredsecret',
  'token',
  'accesstoken',
  'refreshtoken',
  'idtoken',
  'bearertoken',
  'authtoken',
  'tokenid',
  'osauthtoken',
  'ospassword',
  'ostoken',
  'bootstraptoken',
  'apikey',
  'privatekey',
  'clientkeydata',
  'tlskey',
  'cakey',
  'kubeconfig',
  'trustid',
  'receipt',
  'signature',
])

export const isSecretName = (name: string): boolean => {
  const bare = name.replace(/[-_.]/g, '').toLowerCase()
  return names.has(bare) || (bare.startsWith('os') && names.has(bare.slice(2)))
}

const pattern = (of: string[]): string =>
  of
    .map(name => [...name].join('[-_]?'))
    .sort((a, b) => b.length - a.length)
    .join('|')

/** All spellings of the names, for patterns over JSON. */
export const secretNamePattern = pattern([...names])
/** For options, variables and YAML, where `kubeconfig` names a file and is not secret. */
export const secretSettingPattern = pattern([...names].filter(name => name !== 'kubeconfig'))
