/** People with roles of docs/rbac and no others: a ServiceAccount on each cluster, and a kubeconfig with its tokens. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { poll } from '../../src/core/poll.ts'
import { systemClock } from '../../src/core/time.ts'
import type { Clusters } from './clusters.ts'
import { type Program, program } from './program.ts'

const folder = fileURLToPath(new URL('../../docs/rbac/', import.meta.url))

export interface Grant {
  /** A context of the administrator's. */
  on: string
  /** `coe-look` */
  role: string
  /** Bound there alone; everywhere when absent. */
  namespace?: string
}

export interface People {
  /** Somebody new; contexts of his kubeconfig are those that he is granted something on, and `contexts`. */
  hire(name: string, grants: readonly Grant[], contexts?: readonly string[]): Promise<Program>
  close(): Promise<void>
}

interface Rule {
  verbs: string[]
  apiGroups?: string[]
  resources?: string[]
  resourceNames?: string[]
}

const written = ({ verbs, apiGroups = [], resources = [], resourceNames = [] }: Rule): string =>
  JSON.stringify([verbs, apiGroups, resources, resourceNames])

/** The roles as they are published, under names of our own: somebody may have applied them here for himself. */
export async function openPeople(at: Clusters, members: readonly string[]): Promise<People> {
  const { kubectl, name: prefix } = at
  const roles = join(at.folder, 'roles.yaml')
  const own = (text: string) => text.replaceAll(/^ {2}name: coe-/gm, `  name: ${prefix}-`)
  const apply = async (context: string, text: string) => {
    await writeFile(roles, own(text))
    await kubectl(context, 'apply', '-f', roles)
    await kubectl(context, 'create', 'namespace', `${prefix}-people`)
  }
  await apply('host', await readFile(join(folder, 'host.yaml'), 'utf8'))
  for (const member of members) {
    await apply(member, (await readFile(join(folder, 'member.yaml'), 'utf8')).replaceAll('MEMBER', member))
  }
  const programs: Program[] = []

  async function grant(who: string, { on, role, namespace }: Grant): Promise<void> {
    const given = role.replace(/^coe-/, `${prefix}-`)
    const of = [`${prefix}-${who}-${role}`, `--serviceaccount=${prefix}-people:${who}`]
    if (!namespace) {
      await kubectl(on, 'create', 'clusterrolebinding', ...of, `--clusterrole=${given}`)
      return
    }
    const kind = namespace === 'kube-system' ? 'role' : 'clusterrole'
    await kubectl(on, 'create', 'rolebinding', ...of, `--${kind}=${given}`, '--namespace', namespace)
  }

  /** A server that has stored a binding does not yet go by it: whoever decides on requests hears of it a moment later. */
  async function takesEffect(kubeconfig: string, { on, role, namespace = 'default' }: Grant): Promise<void> {
    const given = role.replace(/^coe-/, `${prefix}-`)
    const kind = namespace === 'kube-system' ? 'role' : 'clusterrole'
    const of = [kind, given, ...(kind === 'role' ? ['--namespace', namespace] : [])]
    const { rules } = JSON.parse(await kubectl(on, 'get', ...of, '-o', 'json')) as { rules: Rule[] }
    const wanted = rules.filter(rule => rule.resources).map(written)
    const question = join(at.folder, 'rules-review.json')
    const as = ['--kubeconfig', kubeconfig, '--validate=false']
    const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace } }
    await writeFile(question, JSON.stringify(review))
    const look = async () => {
      const answer = await kubectl(on, 'create', ...as, '-f', question, '-o', 'json')
      const has = new Set(
        (JSON.parse(answer) as { status: { resourceRules: Rule[] } }).status.resourceRules.map(written),
      )
      return wanted.every(rule => has.has(rule)) || undefined
    }
    const what = `role ${given} to hold in ${namespace} on ${on}`
    await poll(look, { clock: systemClock, timeoutMs: 120_000, intervalMs: 100, maxIntervalMs: 1_000, what })
  }

  return {
    async hire(who, grants, contexts = []) {
      for (const one of grants) {
        await kubectl(one.on, 'create', 'serviceaccount', who, '--namespace', `${prefix}-people`).catch(() => {})
        await grant(who, one)
      }
      const kubeconfig = join(at.folder, `${who}.kubeconfig`)
      const entries = []
      for (const context of new Set([...grants.map(g => g.on), ...contexts])) {
        await kubectl(context, 'create', 'serviceaccount', who, '--namespace', `${prefix}-people`).catch(() => {})
        const view = JSON.parse(await kubectl(context, 'config', 'view', '--minify', '--flatten', '-o', 'json'))
        const token = await kubectl(context, 'create', 'token', who, '--namespace', `${prefix}-people`)
        entries.push({ context, cluster: view.clusters[0].cluster, token: token.trim() })
      }
      const config = {
        apiVersion: 'v1',
        kind: 'Config',
        clusters: entries.map(({ context, cluster }) => ({ name: context, cluster })),
        users: entries.map(({ context, token }) => ({ name: context, user: { token } })),
        contexts: entries.map(({ context }) => ({ name: context, context: { cluster: context, user: context } })),
      }
      await writeFile(kubeconfig, JSON.stringify(config), { mode: 0o600 })
      for (const one of grants) await takesEffect(kubeconfig, one)
      const coe = await program({
        KUBECONFIG: kubeconfig,
        COE_ASSETS: process.env.COE_ASSETS ?? '',
        COE_MODE: 'standalone',
      })
      programs.push(coe)
      return coe
    },
    async close() {
      for (const coe of programs) await coe.close()
      for (const context of ['host', ...members]) {
        const all = await kubectl(context, 'get', 'clusterroles,clusterrolebindings', '-o', 'name')
        const ours = all.split('\n').filter(line => line.includes(`/${prefix}-`))
        if (ours.length) await kubectl(context, 'delete', ...ours)
        const rest = ['--namespace', 'kube-system', '--ignore-not-found']
        if (context !== 'host') {
          await kubectl(context, 'delete', 'role', `${prefix}-member`, ...rest)
          const bindings = await kubectl(context, 'get', 'rolebindings', '--namespace', 'kube-system', '-o', 'name')
          const mine = bindings.split('\n').filter(line => line.includes(`/${prefix}-`))
          if (mine.length) await kubectl(context, 'delete', ...mine, ...rest)
        }
        await kubectl(context, 'delete', 'namespace', `${prefix}-people`, '--ignore-not-found')
      }
    },
  }
}
