/**
 * The `--os-*` options as data, for the command line, the environment, clouds.yaml and help. `key` is the dotted name
 * in a cloud's settings.
 */
export interface CloudOption {
  /** Long name without the dashes. */
  readonly name: string
  readonly env: string
  /** The placeholder of the value in help. */
  readonly value: string
  readonly help: string
  readonly secret?: boolean
  readonly key: string
  /** Older spellings, still supported: `os-tenant-name` includes OS_TENANT_NAME and `tenant_name` in a file. */
  readonly aliases?: readonly string[]
}

export const envNameOf = (option: string): string => option.toUpperCase().replaceAll('-', '_')

const option = (
  name: string,
  key: string,
  value: string,
  help: string,
  extra: Partial<CloudOption> = {},
): CloudOption => ({
  name,
  env: envNameOf(name),
  value,
  help,
  key,
  ...extra,
})

const secret = { secret: true } as const

export const cloudOptions: readonly CloudOption[] = [
  option('os-cloud', 'cloud', 'name', 'cloud to use, by its name in clouds.yaml'),
  option('os-auth-type', 'auth_type', 'type', 'how to log in: password, token, v3applicationcredential, none, …', {
    aliases: ['os-auth-plugin'],
  }),
  option('os-auth-url', 'auth.auth_url', 'url', 'address of Keystone'),
  option('os-username', 'auth.username', 'name', 'user to log in as', { aliases: ['os-user-name'] }),
  option('os-user-id', 'auth.user_id', 'id', 'user to log in as, by id'),
  option('os-password', 'auth.password', 'password', 'password (better: OS_PASSWORD or clouds.yaml)', secret),
  option('os-user-domain-name', 'auth.user_domain_name', 'name', 'domain of the user'),
  option('os-user-domain-id', 'auth.user_domain_id', 'id', 'domain of the user, by id'),
  option('os-project-name', 'auth.project_name', 'name', 'project to work in', { aliases: ['os-tenant-name'] }),
  option('os-project-id', 'auth.project_id', 'id', 'project to work in, by id', { aliases: ['os-tenant-id'] }),
  option('os-project-domain-name', 'auth.project_domain_name', 'name', 'domain of the project'),
  option('os-project-domain-id', 'auth.project_domain_id', 'id', 'domain of the project, by id'),
  option(
    'os-domain-name',
    'auth.domain_name',
    'name',
    'domain to work in; beside a project, the domain of user and project',
  ),
  option('os-domain-id', 'auth.domain_id', 'id', 'the same, by id'),
  option('os-system-scope', 'auth.system_scope', 'scope', 'work on the whole system: all'),
  option('os-trust-id', 'auth.trust_id', 'id', 'work through this trust'),
  option(
    'os-default-domain',
    'default_domain',
    'id',
    'domain of user and project where none is given (default: default)',
  ),
  option('os-default-domain-name', 'auth.default_domain_name', 'name', 'the same, by name'),
  option('os-default-domain-id', 'auth.default_domain_id', 'id', 'the same, by id'),
  option('os-token', 'auth.token', 'token', 'token to log in with', { secret: true, aliases: ['os-auth-token'] }),
  option(
    'os-application-credential-id',
    'auth.application_credential_id',
    'id',
    'application credential to log in with',
  ),
  option(
    'os-application-credential-name',
    'auth.application_credential_name',
    'name',
    'the same, by name, with the user',
  ),
  option(
    'os-application-credential-secret',
    'auth.application_credential_secret',
    'secret',
    'secret of the application credential',
    secret,
  ),
  option('os-passcode', 'auth.passcode', 'code', 'one-time code', secret),
  option('os-region-name', 'region_name', 'region', 'region of the service'),
  option('os-interface', 'interface', 'interface', 'which address of the service: public, internal or admin', {
    aliases: ['os-endpoint-type'],
  }),
  option('os-service-type', 'service_type', 'type', 'type of the service in the catalog (default: container-infra)'),
  option('os-service-name', 'service_name', 'name', 'name of the service in the catalog'),
  option('os-endpoint', 'auth.endpoint', 'url', 'address of Magnum, for logins without Keystone', {
    aliases: ['os-url'],
  }),
  option(
    'os-container-infra-endpoint-override',
    'endpoint_override',
    'url',
    "address of Magnum, instead of the catalog's",
    {
      aliases: ['os-endpoint-override'],
    },
  ),
  option('os-container-infra-api-version', 'api_version', 'version', 'microversion to ask Magnum for'),
  option('os-identity-api-version', 'identity_api_version', 'version', "version of Keystone's API (3)"),
  option('os-cacert', 'cacert', 'file', 'certificates of the authorities to trust'),
  option('os-cert', 'cert', 'file', 'client certificate'),
  option('os-key', 'key', 'file', 'key of the client certificate'),
  option('os-api-timeout', 'api_timeout', 'seconds', 'how long one request may take'),
]

/** Spellings in files (and older ones in the environment) → the dotted key. */
export const keyOfSpelling: ReadonlyMap<string, string> = new Map<string, string>([
  ...cloudOptions.flatMap(o =>
    [o.name, ...(o.aliases ?? [])].map(name => [name.slice('os-'.length).replaceAll('-', '_'), o.key] as const),
  ),
  ...['container_infra', 'container_infrastructure', 'container_infrastructure_management', 'coe'].flatMap(service =>
    (
      [
        ['endpoint_override', 'endpoint_override'],
        ['api_version', 'api_version'],
        ['default_microversion', 'api_version'],
        ['interface', 'service_interface'],
        ['endpoint_type', 'service_interface'],
        ['region_name', 'service_region_name'],
        ['service_type', 'service_type'],
        ['service_name', 'service_name'],
      ] as const
    ).map(([setting, key]) => [`${service}_${setting}`, key] as const),
  ),
  ['endpoint_type', 'endpoint_type'], // another name for the interface, with a precedence of its own
])

/** Whether a key holds a secret of the login, which belongs under `auth` wherever in the entry it is written. */
export const isSecretKey = (key: string): boolean => cloudOptions.some(o => o.key === key && o.secret === true)
