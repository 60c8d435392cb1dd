import type { Context } from '../../cli/context.ts'
import { defineCommand, type OptionSpec, ValueProblem } from '../../cli/spec.ts'
import { arg, text } from '../../cli/values.ts'
import { waitOptions } from '../../cli/wait-options.ts'
import { usage } from '../../core/errors.ts'
import type { DriverChoice } from '../../model/backend.ts'
import { federationChangeColumns, shown } from './columns.ts'
import { driverOption, engineOf } from './engine-options.ts'
import { dryRunOption, federationsOf, planColumn, sayAll, sayPlan, withPlan } from './federations.ts'
import { namespaceOption } from './place.ts'
import { type Properties, propertyOption, withZone, zoneOf, zoneProperty } from './properties.ts'

const hostOption: OptionSpec<string> = {
  name: 'hostcluster',
  also: ['--host'],
  value: 'cluster',
  help: 'cluster that the federation’s API will live in, by name or uuid',
  required: true,
  complete: 'cluster',
  parse(given) {
    const [host, second] = given
    if (host === undefined || second !== undefined) {
      throw new ValueProblem(
        `a federation has one host, and ${given.join(' and ')} are given (--host is the same option)`,
      )
    }
    return host
  },
}

export const federationCreate = defineCommand({
  words: 'federation create',
  summary: 'Make a federation in a cluster',
  description:
    'Makes a federation whose API lives in the host cluster. Success is told only after the federation was seen: a Magnum that answers "accepted" and stores nothing, as most do, is found out within 15 seconds. With --wait it is looked at until it is complete. Running it again with the same settings changes nothing.',
  args: { name: arg('name of the federation') },
  options: {
    hostcluster: hostOption,
    dnsZone: text('dns-zone', 'zone', 'DNS zone of the federation', {
      fallback: 'federation.dns_zone of config.yaml, else federation.local',
      mode: 'magnum',
    }),
    property: propertyOption('metadata to keep with it; repeatable'),
    namespace: namespaceOption,
    contextName: text('context-name', 'name', 'name of the context that leads to it', {
      mode: 'standalone',
      fallback: "the federation's name",
    }),
    driver: driverOption,
    dryRun: dryRunOption,
    ...waitOptions,
  },
  examples: [
    { line: 'coe --standalone federation create myfed --host c1', help: 'in the cluster of context c1' },
    { line: 'coe federation create myfederation --hostcluster cluster1', help: 'by Magnum, in cluster1' },
    { line: 'coe federation create myfed --host cluster1 --dns-zone fed.example.com --wait', help: 'until it stands' },
    { line: 'coe federation create myfed --host cluster1 --dry-run', help: 'what would be sent' },
  ],
  output: { kind: 'text', columns: federationChangeColumns },
  exits: {
    1: 'it failed, or this Magnum keeps no federations',
    3: 'there is no such host cluster',
    5: 'it exists with other settings',
  },
  async run(context, { args: { name }, options }) {
    const properties = withZone(options.property, options.dnsZone)
    const federations = await federationsOf(context, { namespace: options.namespace })
    const magnum = (await context.mode()) === 'magnum'
    const defaults = magnum && zoneOf(properties) === undefined ? await defaultZone(context) : {}
    const { hostcluster: host, contextName } = options
    const engine = engineOf(options)
    if (magnum) refuseStandalone(contextName, engine)
    const request = { name, host, properties, defaults, engine, contextName }
    const outcome = await federations.create(request, await context.operation(options))
    const { federation, result, planned, told } = outcome
    const row = withPlan({ ...shown(federation), result }, planned)
    if (told) {
      sayAll(context, told)
      return { object: row, ...planColumn(options.dryRun) }
    }
    if (result === 'created') context.say(`Request to create federation ${federation.uuid} accepted`)
    if (result === 'unchanged') context.say(`Federation ${name} exists already (${federation.uuid}): unchanged`)
    sayPlan(context, planned ?? [], told)
    if (options.wait && result !== 'planned') context.say(`Federation ${name} is ${federation.status ?? 'there'}`)
    return { object: row, ...planColumn(options.dryRun) }
  },
})

/** Magnum would take the request without them, and make something else than was asked for. */
function refuseStandalone(contextName: string | undefined, { driver, options }: DriverChoice): void {
  const given = [...(contextName ? ['context-name'] : []), ...(driver ? ['driver'] : []), ...Object.keys(options)]
  if (given.length === 0) return
  throw usage(`--${given.join(', --')}: Magnum has no such setting for a federation`, {
    hint: '--standalone makes federations from kubeconfig contexts, and has',
  })
}

async function defaultZone(context: Context): Promise<Properties> {
  const { value, origin } = (await context.settings()).get('federation.dns_zone')
  const zone = value ?? 'federation.local'
  context.note(`DNS zone ${zone}${value === undefined ? '' : ` (${origin})`}; --dns-zone gives another`)
  return zoneProperty(zone)
}
