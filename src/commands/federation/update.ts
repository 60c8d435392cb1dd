import { waitOptions } from '../../cli/options/wait-options.ts'
import { arg, flag, texts } from '../../cli/parse/values.ts'
import { federationNote } from '../../cli/print/notes.ts'
import { defineCommand } from '../../cli/spec.ts'
import { usage } from '../../core/errors.ts'
import { federationChangeColumns, shown } from './columns.ts'
import { dryRunOption, federationsOf, planColumn, sayAll, sayPlan, withPlan } from './federations.ts'
import { placeOptions } from './input/place.ts'
import { propertyOption } from './input/properties.ts'

export const federationUpdate = defineCommand({
  words: 'federation update',
  summary: 'Change the metadata of a federation',
  description:
    'Sets and removes properties of a federation, and waits until the change is visible; with --wait, until no operation is in progress. Does not send properties that have the value already.',
  args: { federation: arg('name or uuid of the federation', { complete: 'federation' }) },
  options: {
    property: propertyOption('property to set; repeatable'),
    unsetProperty: texts('unset-property', 'key', 'property to remove; repeatable'),
    rollback: flag('rollback', 'have Magnum roll back if the change fails', { mode: 'magnum' }),
    ...placeOptions,
    dryRun: dryRunOption,
    ...waitOptions,
  },
  examples: [
    { line: 'coe federation update --property dns=cluster.local myfederation', help: 'set a property' },
    { line: 'coe federation update myfederation --unset-property dns', help: 'remove the property' },
  ],
  output: { kind: 'text', columns: federationChangeColumns },
  async run(context, { args, options }) {
    const { property: set, unsetProperty: unset, rollback } = options
    if (Object.keys(set).length === 0 && unset.length === 0) {
      throw usage('nothing to update', { hint: 'give --property KEY=VALUE or --unset-property KEY' })
    }
    const both = unset.find(key => Object.hasOwn(set, key))
    if (both !== undefined) throw usage(`property "${both}" cannot be set and removed at once`)
    const federations = await federationsOf(context, options)
    const operation = await context.operation({ ...options, checksResult: true })
    const { federation, result, planned, notes } = await federations.update(
      context.call,
      args.federation,
      { set, unset, rollback },
      operation,
    )
    if (notes) sayAll(context, notes.map(federationNote))
    else if (result === 'updated') context.say(`Request to update federation ${args.federation} has been accepted.`)
    if (result === 'unchanged') context.say(`Federation ${args.federation} already has these properties: unchanged`)
    sayPlan(context, planned ?? [], undefined)
    return { object: withPlan({ ...shown(federation), result }, planned), ...planColumn(options.dryRun) }
  },
})
