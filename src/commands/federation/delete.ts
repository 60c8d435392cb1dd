import { requireNoun } from '../../cli/backend-nouns.ts'
import type { Context } from '../../cli/context.ts'
import { requireConsent, yesOption } from '../../cli/options/consent.ts'
import { ignoreNotFound } from '../../cli/options/list-options.ts'
import { waitOptions } from '../../cli/options/wait-options.ts'
import { args, flag } from '../../cli/parse/values.ts'
import { federationNote } from '../../cli/print/notes.ts'
import { type Column, defineCommand, type Row } from '../../cli/spec.ts'
import { mapLimit } from '../../core/concurrency.ts'
import { hasOutcome } from '../../core/errors.ts'
import type { FederationDeletion } from '../../model/backend.ts'
import type { Operation } from '../../model/operation.ts'
import { dryRunOption, federationsOf, planColumn, sayPlan, withPlan } from './federations.ts'
import { driverOptionOption, engineOf } from './input/engine-options.ts'
import { type PlaceValues, placeOptions } from './input/place.ts'

const columns: readonly Column[] = [
  { name: 'federation', type: 'string', help: 'name as given on the command line', nullable: false },
  { name: 'uuid', type: 'string', help: 'its identifier, if it was found' },
  {
    name: 'result',
    type: 'string',
    help: 'deleting (begun), deleted, missing, planned (--dry-run) or failed',
    nullable: false,
  },
]

export const federationDelete = defineCommand({
  words: 'federation delete',
  summary: 'Delete federations',
  description:
    'Deletes federations; their clusters stay. Waits until each deletion has begun; with --wait, until the federation is gone. If one cannot be deleted, the others still are. Asks for confirmation; without a terminal, --yes is required.',
  args: { federation: args('names or uuids of the federations', { complete: 'federation' }) },
  options: {
    yes: yesOption,
    ignoreNotFound,
    unjoin: flag('unjoin', 'remove its members first; their workloads stay', { mode: 'standalone' }),
    keepData: flag('keep-data', 'keep the volumes of etcd on the host', { mode: 'standalone' }),
    driverOption: driverOptionOption,
    ...placeOptions,
    dryRun: dryRunOption,
    ...waitOptions,
  },
  examples: [
    { line: 'coe federation delete myfederation', help: 'ask first' },
    { line: 'coe federation delete myfederation --yes --wait --ignore-not-found', help: 'for scripts; safe to repeat' },
  ],
  output: { kind: 'text', many: true, columns },
  exits: { 3: 'there is no such federation', 6: 'some were deleted, others not' },
  async run(context, { args: given, options }) {
    const refs = [...new Set(given.federation)]
    if (!options.dryRun) await requireConsent(context, question(refs), options)
    const operation = await context.operation({ ...options, checksResult: true })
    const { unjoin, keepData, ignoreNotFound: ignoreMissing } = options
    const deletion = {
      ignoreMissing,
      operation,
      place: options,
      how: { unjoin, keepData, driverOptions: engineOf(options).options },
    }
    const one = (ref: string) => deleteOne(context, ref, deletion)
    const rows = await mapLimit(refs, options.wait ? 16 : 1, one)
    return { rows, anyWorked: rows.some(row => row.result !== 'failed'), ...planColumn(options.dryRun) }
  },
})

const question = (refs: readonly string[]): string =>
  `Delete federation${refs.length === 1 ? '' : 's'} ${refs.map(r => `"${r}"`).join(', ')}?`

interface Deletion {
  ignoreMissing: boolean
  operation: Operation
  place: PlaceValues
  how: FederationDeletion
}

async function deleteOne(
  context: Context,
  ref: string,
  { ignoreMissing, operation, place, how }: Deletion,
): Promise<Row> {
  try {
    const federations = await federationsOf(context, place)
    const { federation, result, planned, notes } = await federations.delete(context.call, ref, operation, how)
    if (result === 'deleting') context.say(`Request to delete federation ${ref} has been accepted.`)
    if (result === 'deleted') context.say(`Federation ${ref} is deleted.`)
    sayPlan(context, planned ?? [], notes?.map(federationNote))
    return withPlan({ federation: ref, uuid: federation.uuid ?? null, result }, planned)
  } catch (error) {
    // if the host was not found, the federation may still exist
    const missing =
      hasOutcome(error, 'notFound') && (error.details.not_found === 'federation' || !(await haveHosts(context)))
    if (ignoreMissing && missing) {
      context.note(`there is no federation "${ref}": nothing to delete`)
      return { federation: ref, uuid: null, result: 'missing' }
    }
    context.report(error)
    return { federation: ref, uuid: null, result: 'failed' }
  }
}

/** Whether this backend searches hosts for federations. */
const haveHosts = async (context: Context): Promise<boolean> =>
  (await requireNoun(context, 'federations')).at !== undefined
