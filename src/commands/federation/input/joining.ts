/** Collects the clusters to join and their settings from a file and from the command line, which wins. */
import type { Context } from '../../../cli/context.ts'
import { usage } from '../../../core/errors.ts'
import { flagArg, optionArgs, type StepArg } from '../../../core/next-step.ts'
import type { MemberRequest } from '../../../model/member-request.ts'
import { statedSettings, withSettings } from '../../../model/member-settings.ts'
import { readMembers } from './member-file.ts'
import { type MemberOptions, memberArgs } from './member-options.ts'

export interface JoinWords extends MemberOptions {
  fromFile: string | undefined
  clusterName: string | undefined
  allowHost: boolean
}

export async function joining(
  context: Context,
  clusters: readonly string[],
  words: JoinWords,
): Promise<MemberRequest[]> {
  const { fromFile, clusterName: name, server } = words
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
  return all.map(member => ({
    ...member,
    ...(name === undefined ? {} : { name }),
    ...withSettings(statedSettings(member), words),
  }))
}

/** Checks the address before any request. */
function refuseServer(server: string | undefined): void {
  if (server === undefined || /^https:\/\/[^\s/]/.test(server)) return
  const plain = /^http:\/\//.test(server)
  const why = plain ? 'is not https, but keys are sent there' : 'is not the address of an API server'
  throw usage(`--cluster-server: "${server}" ${why}`, { hint: 'for example --cluster-server https://10.0.0.2:6443' })
}

/** The arguments for the step that resumes. */
export const joinArgs = (clusters: readonly string[], words: JoinWords): StepArg[] => [
  ...clusters,
  ...optionArgs('from-file', words.fromFile),
  ...optionArgs('cluster-name', words.clusterName),
  ...memberArgs(words),
  ...flagArg('allow-host', words.allowHost),
]
