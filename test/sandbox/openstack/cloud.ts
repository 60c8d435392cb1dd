import { onTestFinished } from 'vitest'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/sandbox/start.ts'
import { type Reply, send } from '../request.ts'

type Extra = { version?: string | null; headers?: Record<string, string> }

export interface Cloud {
  sandbox: Sandbox
  /**
   * A function that sends requests to Magnum as this user of this project (`demo/demo`), at 1.10 or the server's own
   * maximum.
   */
  as(who: string): (method: string, path: string, body?: string | object, extra?: Extra) => Promise<Reply>
  token(who: string): Promise<string>
  login(identity: object, scope?: unknown): Promise<Reply>
  /** Makes a template and returns its uuid. */
  template(values?: object): Promise<string>
  cluster(name: string, values?: object): Promise<string>
}

/** A cloud for one test. Time stands still until the test advances it. */
export async function cloud(options: SandboxOptions = {}): Promise<Cloud> {
  const sandbox = await startSandbox({ speed: 0, tls: false, ...options })
  onTestFinished(() => sandbox.close())
  const { password } = sandbox.openstack.accounts
  const base = sandbox.magnumUrl.replace(/\/v1$/, '')
  const login = (identity: object, scope?: unknown) =>
    send('POST', `${sandbox.authUrl}/auth/tokens`, {
      body: { auth: { identity, ...(scope === undefined ? {} : { scope }) } },
    })
  const tokens = new Map<string, Promise<string>>()
  const token = (who: string): Promise<string> => {
    const [name = '', project = ''] = who.split('/')
    const known = tokens.get(who)
    if (known !== undefined) return known
    const made = login(byPassword(name, password), inProject(project)).then(
      reply => reply.headers['x-subject-token'] as string,
    )
    tokens.set(who, made)
    return made
  }
  const as: Cloud['as'] =
    who =>
    async (method, path, body, extra = {}) => {
      const version = extra.version === undefined ? (options.magnumMax ?? '1.10') : extra.version
      return send(method, `${base}${path}`, {
        body,
        headers: {
          'X-Auth-Token': await token(who),
          ...(version === null ? {} : { 'OpenStack-API-Version': `container-infra ${version}` }),
          ...(typeof body === 'string' ? { 'Content-Type': 'application/json' } : {}),
          ...extra.headers,
        },
      })
    }
  const demo = as('demo/demo')
  return {
    sandbox,
    as,
    token,
    login,
    template: async (values = {}) => {
      const body = { name: 'tpl', image_id: 'fedora-coreos-38', coe: 'kubernetes', labels: { kube_tag: 'v1.22.1' } }
      const reply = await demo('POST', '/v1/clustertemplates', { ...body, master_lb_enabled: true, ...values })
      return reply.json.uuid
    },
    cluster: async (name, values = {}) => {
      const reply = await demo('POST', '/v1/clusters', { name, ...values })
      return reply.json.uuid
    },
  }
}

export const byPassword = (name: string, password: string) => ({
  methods: ['password'],
  password: { user: { name, domain: { id: 'default' }, password } },
})

export const inProject = (name: string) => ({ project: { name, domain: { name: 'Default' } } })

/** The one error of a Magnum answer. */
export const errorOf = (reply: Reply): { status: number; code: string; title: string; detail: string } =>
  reply.json.errors[0]
