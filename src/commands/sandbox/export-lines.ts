/** Lines for `eval`; what would lead out of the sandbox is unset. */
const leavers = [
  'OS_AUTH_URL',
  'OS_USERNAME',
  'OS_PASSWORD',
  'OS_PROJECT_NAME',
  'OS_PROJECT_ID',
  'OS_TOKEN',
  'OS_CACERT',
  'OS_REGION_NAME',
  'COE_MODE',
]

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export const exportLines = (env: Readonly<Record<string, string>>): string =>
  [`unset ${leavers.join(' ')}`, ...Object.entries(env).map(([name, value]) => `export ${name}=${quoted(value)}`)].join(
    '\n',
  )
