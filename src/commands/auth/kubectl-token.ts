import { defineCommand } from '../../cli/spec.ts'

/** The API versions of the credential; old programs ask for the second. */
const versions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1']

export const authKubectlToken = defineCommand({
  words: 'auth kubectl-token',
  summary: 'Log kubectl in with an OpenStack token',
  description:
    'For kubectl, not for people: kubeconfigs from "coe cluster config --use-keystone" use it as their credential plugin. Prints an ExecCredential with the token of the cloud, from the token cache while it is valid.',
  args: {},
  options: {},
  examples: [
    { line: 'coe auth kubectl-token --os-cloud prod', help: 'what kubectl gets; it contains a token: keep it secret' },
  ],
  output: { kind: 'raw' },
  async run(context) {
    const { token, expiresAt } = await (await context.cloud()).identity()
    const status = { token, ...(expiresAt === undefined ? {} : { expirationTimestamp: toTheSecond(expiresAt) }) }
    const apiVersion = apiVersionFor(context.world.env.KUBERNETES_EXEC_INFO)
    return { text: JSON.stringify({ apiVersion, kind: 'ExecCredential', status }) }
  },
})

/** Keystone sends microseconds, which not every parser of RFC 3339 accepts. */
const toTheSecond = (time: string): string => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')

function apiVersionFor(execInfo: string | undefined): string {
  try {
    const requested = (JSON.parse(execInfo ?? '{}') as { apiVersion?: string }).apiVersion
    return versions.find(v => v === requested) ?? (versions[0] as string)
  } catch {
    return versions[0] as string
  }
}
