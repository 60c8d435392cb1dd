import type { Context } from '../../cli/context.ts'
import { noWaitOption, waitOptions } from '../../cli/options/wait-options.ts'
import { flag, optionalArg, text } from '../../cli/parse/values.ts'
import { federationNote } from '../../cli/print/notes.ts'
import { defineCommand, type Input, type OptionSpec, type Result, ValueProblem } from '../../cli/spec.ts'
import { usage } from '../../core/errors.ts'
import type { FederationOutcome } from '../../model/backend.ts'
import { federationChangeColumns, shown } from './columns.ts'
import { dryRunOption, federationsOf, planColumn, sayAll, sayPlan, withPlan } from './federations.ts'
import { type CommandWords, createWords, creation } from './input/creation.ts'
import { driverOptions, engineOf } from './input/engine-options.ts'
import { namespaceOption } from './input/place.ts'
import { type Properties, propertyOption, withZone, zoneOf, zoneProperty } from './input/properties.ts'
import { membersAfter, othersAfter } from './members-after.ts'

const hostOption: OptionSpec<string | undefined> = {
  name: 'hostcluster',
  also: ['--host'],
  value: 'cluster',
  help: "cluster that hosts the federation's API, by name or uuid; required unless a file gives it",
  complete: 'cluster',
  parse(given) {
    const [host, second] = given
    if (second === undefined) return host
    throw new ValueProblem(
      `a federation has one host, but ${given.join(' and ')} are given (--host is the same option)`,
    )
  },
}

const standalone = { mode: 'standalone' as const }

const args = { name: optionalArg('name of the federation; a file may give it') }

const options = {
  file: text(
    'file',
    'file',
    'read the federation and its members from this file, in the format of "federation show -f yaml"; - is standard input',
    {
      ...standalone,
      complete: 'file',
    },
  ),
  hostcluster: hostOption,
  dnsZone: text('dns-zone', 'zone', 'DNS zone of the federation', {
    fallback: 'in Magnum mode: federation.dns_zone in config.yaml, else federation.local',
  }),
  property: propertyOption('metadata to store with it; repeatable'),
  namespace: namespaceOption,
  adopt: flag(
    'adopt',
    'take over that namespace and objects in it if they exist and belong to no federation',
    standalone,
  ),
  contextName: text('context-name', 'name', 'name of its kubeconfig context', {
    ...standalone,
    fallback: "the federation's name",
  }),
  kubeconfigOut: text('kubeconfig-out', 'file', 'write that context to this file instead of your kubeconfig', {
    ...standalone,
    complete: 'file',
  }),
  join: flag('join', 'also make the host a member', standalone),
  ...driverOptions,
  dryRun: dryRunOption,
  ...waitOptions,
  noWait: noWaitOption,
}

export const federationCreate = defineCommand({
  words: 'federation create',
  summary: 'Create a federation on a host cluster',
  description:
    'Creates a federation whose API runs in the host cluster. Reports success only after checking that the federation exists: most Magnums answer "accepted" and store nothing, which coe detects within 15 seconds. With --wait it waits until the federation is complete. In standalone mode it creates the federation step by step, waits for each step, and tests the result; with --no-wait it does only what needs no waiting, and the same command without it does the rest. Running the command again with the same settings changes nothing.',
  args,
  options,
  examples: [
    { line: 'coe --standalone federation create myfed --host c1', help: 'on the cluster of context c1' },
    { line: 'coe --standalone federation create --file myfed.yaml', help: 'from a file, including members' },
    { line: 'coe federation create myfederation --hostcluster cluster1', help: 'with Magnum, on cluster1' },
    {
      line: 'coe federation create myfed --host cluster1 --dns-zone fed.example.com --wait',
      help: 'wait until it is complete',
    },
    { line: 'coe federation create myfed --host cluster1 --dry-run', help: 'show what would be sent' },
  ],
  output: { kind: 'text', columns: federationChangeColumns },
  exits: {
    1: 'it failed, or this Magnum does not store federations',
    3: 'there is no such host cluster',
    5: 'it exists with other settings, its namespace exists already, or one of its members belongs to another federation',
    6: 'it was created, but some of its members could not join',
  },
  run: (context, input) => create(context, input, createWords),
})

export async function create(
  context: Context,
  input: Input<typeof args, typeof options>,
  words: CommandWords,
): Promise<Result> {
  const { args, options } = input
  if (options.wait && options.noWait) throw usage('--wait and --no-wait exclude each other')
  const engine = engineOf(options)
  const properties = withZone(options.property, options.dnsZone)
  const created = await creation(context, { name: args.name, words: options, properties, engine }, words)
  const federations = await federationsOf(context, { namespace: options.namespace, ...created.place })
  const defaults = federations.needsZone && zoneOf(properties) === undefined ? await defaultZone(context) : {}
  const wait = federations.inBackground ? options.wait : !options.noWait
  const operation = await context.operation({ ...options, wait, checksResult: true })
  const outcome = await federations.create(context.call, { ...created.request, defaults }, operation)
  sayOutcome(context, outcome, created.request.name, options.wait)
  const row = withPlan({ ...shown(outcome.federation), result: outcome.result }, outcome.planned)
  const after = await membersAfter(context, federations, created, outcome, operation)
  const others = await othersAfter(context, federations, created, outcome, operation)
  const anyWorked = after || others ? { anyWorked: true } : {}
  return { object: { ...row, ...after, ...others }, ...anyWorked, ...planColumn(options.dryRun) }
}

function sayOutcome(context: Context, outcome: FederationOutcome, name: string, waited: boolean): void {
  const { federation, result, planned, notes } = outcome
  if (notes) {
    sayAll(context, notes.map(federationNote))
    return
  }
  if (result === 'created') context.say(`Request to create federation ${federation.uuid} accepted`)
  if (result === 'unchanged') context.say(`Federation ${name} exists already (${federation.uuid}): unchanged`)
  sayPlan(context, planned ?? [], undefined)
  if (waited && result !== 'planned') context.say(`Federation ${name} is ${federation.status ?? 'created'}`)
}

async function defaultZone(context: Context): Promise<Properties> {
  const { value, origin } = (await context.settings()).get('federation.dns_zone')
  const zone = value ?? 'federation.local'
  context.note(`DNS zone ${zone}${value === undefined ? '' : ` (${origin})`}; --dns-zone sets another`)
  return zoneProperty(zone)
}
