/** Which clusters are to join, and what is said of each: by a file, and by the command line, which wins. */
import type { Context } from '../../../cli/context.ts'
import { usage } from '../../../core/errors.ts'
import { flagArg, optionArgs, type StepArg } from '../../../core/next-step.ts'
import type { MemberRequest } from '../../../model/member-request.ts'
import { readMembers } from './member-file.ts'

export interface JoinWords {
  fromFile: string | undefined
  clusterName: string | undefined
  clusterServer: string | undefined
  label: Record<string, string>
  region: string | undefined
  zone: string[]
  provider: string | undefined
  allowHost: boolean
}

export async function joining(
  context: Context,
  clusters: readonly string[],
  words: JoinWords,
): Promise<MemberRequest[]> {
  const { fromFile, clusterName: name, clusterServer: server, label, region, zone: zones, provider } = words
  if (clusters.length === 0 && fromFile === undefined) {
    throw usage('"coe federation join" needs <cluster>... or --from-file', {
      hint: 'see "coe federation join --help"',
    })
  }
  refuseServer(server)
  const listed = fromFile === undefined ? [] : await readMembers(context, fromFile)
  const named = clusters.filter(cluster => !listed.some(m => m.cluster === cluster))
  const members = [...new Set(named)].map((cluster): MemberRequest => ({ cluster }))
  const all = [...members, ...listed]
  for (const [option, given] of Object.entries({ 'cluster-name': name, 'cluster-server': server })) {
    if (given !== undefined && all.length > 1) throw usage(`--${option} is for one cluster`)
  }
  return all.map(member => {
    const labels = { ...member.labels, ...label }
    return {
      ...member,
      ...(name === undefined ? {} : { name }),
      ...(server === undefined ? {} : { server }),
      ...(Object.keys(labels).length ? { labels } : {}),
      ...(region === undefined ? {} : { region }),
      ...(zones.length ? { zones } : {}),
      ...(provider === undefined ? {} : { provider }),
    }
  })
}

/** Wrong whatever the cluster is: nothing need be asked for that. */
function refuseServer(server: string | undefined): void {
  if (server === undefined || /^https:\/\/[^\s/]/.test(server)) return
  const plain = /^http:\/\//.test(server)
  const why = plain ? 'is not https, and keys are sent there' : 'is not the address of an API server'
  throw usage(`--cluster-server: "${server}" ${why}`, { hint: 'for example --cluster-server https://10.0.0.2:6443' })
}

/** The arguments for the step that resumes: a member whose turn has not come yet has them in no record. */
export const joinArgs = (clusters: readonly string[], words: JoinWords): StepArg[] => [
  ...clusters,
  ...optionArgs('from-file', words.fromFile),
  ...optionArgs('cluster-name', words.clusterName),
  ...optionArgs('cluster-server', words.clusterServer),
  ...optionArgs(
    'label',
    Object.entries(words.label).map(([key, value]) => `${key}=${value}`),
  ),
  ...optionArgs('region', words.region),
  ...optionArgs('zone', words.zone),
  ...optionArgs('provider', words.provider),
  ...flagArg('allow-host', words.allowHost),
]
