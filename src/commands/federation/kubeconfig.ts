import { requireVerb } from '../../cli/backend-nouns.ts'
import { arg, duration, flag, text, texts } from '../../cli/parse/values.ts'
import { defineCommand } from '../../cli/spec.ts'
import { usage } from '../../core/errors.ts'
import { kubectlStep } from '../../core/next-step.ts'
import { yamlText } from '../../io/formats/yaml-out.ts'
import type { FederationAccess } from '../../model/backend.ts'
import { federationsOf } from './federations.ts'
import { placeOptions } from './input/place.ts'

const day = 86_400_000
/** The API server allows its members everything, without a role. */
const masters = 'system:masters'

export const federationKubeconfig = defineCommand({
  words: 'federation kubeconfig',
  summary: 'Get a kubeconfig for a federation',
  description:
    "Prints a kubeconfig for the federation's API: the administrator's, or with --user one with a certificate for that user. The user's rights come from the roles that the federation's API gives to the user and the groups. With --merge it becomes a context in your kubeconfig; the current context stays the same.",
  args: { federation: arg('name or uuid of the federation', { complete: 'federation' }) },
  options: {
    user: text('user', 'name', 'make a certificate for this user'),
    group: texts('group', 'name', 'group of this user; repeatable'),
    ttl: duration('ttl', 'how long the certificate is valid, in whole days', { fallback: '365d' }),
    merge: flag('merge', 'add it to your kubeconfig'),
    contextName: text('context-name', 'name', 'name of the context', {
      fallback: "the federation's name; with --merge and --user, USER@NAME",
    }),
    ...placeOptions,
  },
  examples: [
    { line: 'coe federation kubeconfig myfed --merge', help: 'add the context "myfed" on another machine' },
    { line: 'coe federation kubeconfig myfed --user jane --group dev --ttl 30d', help: 'a kubeconfig for Jane' },
  ],
  output: { kind: 'raw' },
  needs: 'federations.access',
  async run(context, { args, options }) {
    const { user, group: groups, ttl, merge, contextName } = options
    if (user === undefined && (groups.length > 0 || ttl !== undefined)) {
      throw usage('--group and --ttl are for the certificate of a user: give --user, too')
    }
    // perhaps an empty variable of a script: the certificate would silently give no access
    if ([user, ...groups].some(name => name?.trim() === '')) throw usage('--user and --group need a name')
    const days = Math.floor((ttl ?? 365 * day) / day)
    if (days < 1) throw usage('--ttl: a certificate is valid for at least a day')
    if (groups.includes(masters)) {
      context.warn(
        `group ${masters} may do everything in the federation, and this cannot be revoked while the certificate is valid, for ${days} days. For rights that can be revoked, use another group, with a ClusterRoleBinding to cluster-admin`,
      )
    }
    const federations = await federationsOf(context, options)
    const who = user === undefined ? undefined : { user, groups, days }
    if (!merge) {
      const access = await requireVerb(federations, 'access').access(context.call, args.federation, who)
      return { text: kubeconfigOf(access, contextName) }
    }
    const { enter } = requireVerb(federations, 'enter')
    const { context: name, look } = await enter(context.call, args.federation, { who, contextName })
    context.note('', [kubectlStep(`context "${name}" was written; try it`, look, [], { context: name })])
    return { text: '' }
  },
})

const encoded = (pem: string | undefined): string | undefined =>
  pem === undefined ? undefined : Buffer.from(pem).toString('base64')

function kubeconfigOf(access: FederationAccess, contextName: string | undefined): string {
  const name = contextName ?? access.name
  const without = (entries: Record<string, string | undefined>) =>
    Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined))
  return yamlText({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: without({ server: access.server, 'certificate-authority-data': encoded(access.ca) }) }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
    users: [
      {
        name,
        user: without({
          'client-certificate-data': encoded(access.cert),
          'client-key-data': encoded(access.key),
          token: access.token,
        }),
      },
    ],
  })
}
