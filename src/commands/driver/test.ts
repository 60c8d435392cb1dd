import { arg, keyValues } from '../../cli/parse/values.ts'
import { defineCommand, type OptionSpec, ValueProblem } from '../../cli/spec.ts'
import { exitCodes } from '../../core/errors.ts'
import { driverOptionOption, engineOf } from '../federation/input/engine-options.ts'

/** Four are enough to find what was forgotten, in a minute. */
const killsOption: OptionSpec<number> = {
  name: 'kills',
  value: 'n',
  help: 'at how many of its writes each change is killed; all: at each',
  fallback: '4',
  parse([given = '4']) {
    if (given === 'all') return Number.POSITIVE_INFINITY
    if (/^[1-9]\d{0,3}$/.test(given)) return Number(given)
    throw new ValueProblem(`"${given}" is neither a number above 0 nor all`)
  },
}

export const driverTest = defineCommand({
  words: 'driver test',
  summary: 'Test a driver on simulated clusters',
  description:
    'Runs a driver through its whole life on simulated Kubernetes clusters on this machine: made, made again, killed in the middle and run again, planned without a write, removed with nothing left, and no secret in any output. Each check has a name; exit code 1 tells that one of them failed. A driver of federations makes one and lets a cluster join; a driver of clusters makes one, where it makes any. No real cluster is contacted.',
  args: { driver: arg('folder of the driver, or the name of a driver that comes with coe', { complete: 'folder' }) },
  options: {
    driverOption: { ...driverOptionOption, help: 'option of the driver, for what is created; repeatable' },
    label: keyValues('label', "label of the clusters' template; repeatable"),
    kills: killsOption,
  },
  examples: [
    { line: 'coe driver test ./shelf_v1', help: 'one of your own' },
    { line: 'coe driver test karmada_v1 --driver-option expose=nodeport', help: 'one that comes with coe' },
  ],
  output: {
    kind: 'list',
    columns: [
      { name: 'check', type: 'string', help: 'name of the check', nullable: false },
      { name: 'result', type: 'string', help: 'passed, failed or skipped', nullable: false },
      { name: 'about', type: 'string', help: 'what must be so', nullable: false },
      { name: 'detail', type: 'string', help: 'what was found instead, or why it was skipped' },
    ],
    nullText: '',
  },
  exits: { 1: 'a check failed', 3: 'there is no such folder or driver' },
  async run(context, { args, options }) {
    const drivers = await context.drivers()
    const checks = await drivers.test(args.driver, {
      options: engineOf(options).options,
      labels: options.label,
      deaths: options.kills,
      tell: name => context.progress.step('test', name),
    })
    context.progress.done('test')
    const failed = checks.some(({ result }) => result === 'failed')
    return { rows: checks.map(check => ({ ...check })), ...(failed ? { exit: exitCodes.failed } : {}) }
  },
})
