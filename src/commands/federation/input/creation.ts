/** Collects what to create from a file and from the command line, which wins. */
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

/** The names that the user knows the command by, for errors about the command line. */
export interface CommandWords {
  command: string
  /** The option that names the host. */
  host: string
}

export const createWords: CommandWords = { command: 'coe federation create', host: '--hostcluster' }

export interface Creation {
  request: Omit<FederationRequest, 'defaults'>
  place: FederationPlace
  /** They join after the creation. */
  members: MemberRequest[]
  /** The arguments after the federation's name in the next step that joins them. */
  joinArgs: readonly StepArg[]
}

export async function creation(
  context: Context,
  given: { name: string | undefined; words: CreateWords; properties: Properties; engine: DriverChoice },
  { command, host: hostOption }: CommandWords,
): Promise<Creation> {
  const { words, engine } = given
  const file = words.file === undefined ? undefined : await readFederation(context, words.file)
  const name = nameOf(given.name, file, { command, host: hostOption })
  const host = words.hostcluster ?? file?.hostcluster
  if (host === undefined) {
    throw usage(`"${command}" needs ${hostOption}`, {
      hint: file ? 'or "hostcluster" in the file' : 'it names the cluster that will host the API',
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

function nameOf(given: string | undefined, file: FederationFile | undefined, { command, host }: CommandWords): string {
  if (given !== undefined && file?.name !== undefined && given !== file.name) {
    throw file.problem(
      ['name'],
      `it describes "${file.name}", but the command line names "${given}"`,
      'give only one of them',
    )
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
