/** What is to be created: told by a file, and by the command line, which wins. */
import type { Context } from '../../../cli/context.ts'
import { usage } from '../../../core/errors.ts'
import { flagArg, optionArgs, type StepArg } from '../../../core/next-step.ts'
import { didYouMean } from '../../../core/text.ts'
import type { DriverChoice, FederationPlace, FederationRequest } from '../../../model/backend.ts'
import type { MemberRequest } from '../../../model/member-request.ts'
import { type FederationFile, readFederation } from './federation-file.ts'
import type { Properties } from './properties.ts'

export interface CreateWords {
  file: string | undefined
  hostcluster: string | undefined
  namespace: string | undefined
  contextName: string | undefined
  kubeconfigOut: string | undefined
  adopt: boolean
  join: boolean
}

/** What the user calls what creates: errors about the command line use those words. */
export interface Spoken {
  command: string
  /** The option that names the host. */
  host: string
}

export const createWords: Spoken = { command: 'coe federation create', host: '--hostcluster' }

export interface Creation {
  request: Omit<FederationRequest, 'defaults'>
  place: FederationPlace
  /** They join when it stands. */
  members: MemberRequest[]
  /** What follows the federation's name in the step that joins them. */
  joinArgs: readonly StepArg[]
}

export async function creation(
  context: Context,
  given: { name: string | undefined; words: CreateWords; properties: Properties; engine: DriverChoice },
  spoken: Spoken,
): Promise<Creation> {
  const { words, engine } = given
  const file = words.file === undefined ? undefined : await readFederation(context, words.file)
  const name = nameOf(given.name, file, spoken)
  const host = words.hostcluster ?? file?.hostcluster
  if (host === undefined) {
    throw usage(`"${spoken.command}" needs ${spoken.host}`, {
      hint: file ? 'or "hostcluster" in the file' : 'it names the cluster that the API will live in',
    })
  }
  const namespace = words.namespace ?? file?.namespace
  const members: MemberRequest[] = (file?.members ?? []).map(member => ({ ...member, slug: true }))
  if (words.join && !members.some(m => m.cluster === host)) members.unshift({ cluster: host, slug: true })
  return {
    request: {
      name,
      host,
      properties: { ...file?.properties, ...given.properties },
      engine: file ? merged(file, engine) : engine,
      contextName: words.contextName ?? file?.context_name,
      kubeconfigOut: words.kubeconfigOut,
      adopt: words.adopt,
      joining: members,
      resumeArgs: resumeArgs(words),
    },
    place: namespace === undefined ? {} : { namespace },
    members,
    joinArgs: [...(words.join ? [host] : []), ...optionArgs('from-file', words.file), ...flagArg('allow-host')],
  }
}

function nameOf(given: string | undefined, file: FederationFile | undefined, { command, host }: Spoken): string {
  if (given !== undefined && file?.name !== undefined && given !== file.name) {
    throw file.problem(['name'], `it describes "${file.name}", and "${given}" is to be made`, 'leave one of them out')
  }
  const name = given ?? file?.name
  if (name !== undefined) return name
  throw usage(`"${command}" needs <name>`, {
    hint: file ? 'or "name" in the file' : `usage: ${command} <name> ${host} <cluster> [options]`,
  })
}

function merged(file: FederationFile, { driver, options }: DriverChoice): DriverChoice {
  return {
    driver: driver ?? file.driver,
    options: { ...file.settings, ...options },
    wrong(option, reason, known) {
      if (!Object.hasOwn(file.settings, option) || Object.hasOwn(options, option)) return undefined
      const place = ['settings', option]
      if (known?.includes(option) === false) {
        return file.problem(place, `there is no setting "${option}"`, didYouMean(option, known))
      }
      return file.problem(place, reason.replace(/^--/, ''))
    },
  }
}

const resumeArgs = ({ file, kubeconfigOut, adopt, join }: CreateWords): StepArg[] => [
  ...optionArgs('file', file),
  ...optionArgs('kubeconfig-out', kubeconfigOut),
  ...flagArg('adopt', adopt),
  ...flagArg('join', join),
]
