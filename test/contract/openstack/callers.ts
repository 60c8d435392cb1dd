/**
 * The users that make requests. `colleague`: another user of the same project. `other`: a user of another project.
 * `delegate`: an application credential.
 */
export type CallerRole = 'user' | 'admin' | 'reader' | 'colleague' | 'other' | 'delegate' | 'wrongPassword'

export const realClouds: Record<CallerRole, string> = {
  user: 'OS_CLOUD',
  admin: 'COE_E2E_ADMIN_CLOUD',
  reader: 'COE_E2E_READER_CLOUD',
  colleague: 'COE_E2E_COLLEAGUE_CLOUD',
  other: 'COE_E2E_OTHER_CLOUD',
  delegate: 'COE_E2E_APPCRED_CLOUD',
  wrongPassword: 'COE_E2E_BAD_CLOUD',
}

export const simulatedClouds: Record<CallerRole, string> = {
  user: 'sandbox',
  admin: 'sandbox-admin',
  reader: 'sandbox-reader',
  colleague: 'sandbox-demo2',
  other: 'sandbox-alt',
  delegate: 'sandbox-appcred',
  wrongPassword: 'sandbox-badpw',
}
