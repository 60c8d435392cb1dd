import type { Accounts } from './accounts.ts'

/** One entry for each user who can log in, named after the user. Written by hand, because JSON is valid YAML. */
export function cloudsYaml(
  accounts: Accounts,
  where: { authUrl: string; caFile?: string | undefined; region: string },
): string {
  const { password, directory } = accounts
  const byPassword = (username: string, project: string, secret = password) => ({
    auth: {
      auth_url: where.authUrl,
      username,
      password: secret,
      project_name: project,
      user_domain_name: 'Default',
      project_domain_name: 'Default',
    },
  })
  const [restricted, unrestricted] = directory.applicationCredentials.map(({ id, secret }) => ({
    auth_type: 'v3applicationcredential',
    auth: {
      auth_url: where.authUrl,
      application_credential_id: id,
      application_credential_secret: secret,
    },
  }))
  const clouds: Record<string, object | undefined> = {
    sandbox: byPassword('demo', 'demo'),
    'sandbox-admin': byPassword('admin', 'admin'),
    'sandbox-admin-demo': byPassword('admin', 'demo'),
    'sandbox-demo2': byPassword('demo2', 'demo'),
    'sandbox-alt': byPassword('alt', 'alt'),
    'sandbox-reader': byPassword('reader', 'demo'),
    'sandbox-badpw': byPassword('demo', 'demo', 'not-the-password'),
    'sandbox-appcred': restricted,
    'sandbox-appcred-unrestricted': unrestricted,
  }
  const common = {
    region_name: where.region,
    interface: 'public',
    identity_api_version: '3',
    ...(where.caFile ? { cacert: where.caFile } : {}),
  }
  const lines = Object.entries(clouds).map(([name, cloud]) => `  ${name}: ${JSON.stringify({ ...cloud, ...common })}`)
  return `# The simulated cloud of a coe sandbox. It goes away with it.\nclouds:\n${lines.join('\n')}\n`
}
