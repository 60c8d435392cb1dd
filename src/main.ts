/** argv → exit code. Finds the command, runs it, prints what it hands back, and prints whatever goes wrong. */

import { setMaxListeners } from 'node:events'
import type { Context } from './cli/context.ts'
import { describeFailure, worstExit } from './cli/failure.ts'
import type { Host } from './cli/host.ts'
import { type Globals, globalOptions } from './cli/options/globals.ts'
import { anyOutputOptions, type OutputChoice, outputOptions } from './cli/options/output-options.ts'
import { allOptions } from './cli/parse/all-options.ts'
import { needsMode } from './cli/parse/modes.ts'
import { argumentValues, type GivenOptions, optionValues, split } from './cli/parse/parser.ts'
import { type LineOf, lineOf } from './cli/print/next-step.ts'
import { show } from './cli/print/pager.ts'
import { checkColumns, printResult } from './cli/print/print.ts'
import type { AnyCommand, OptionSpec } from './cli/spec.ts'
import { type Found, findCommand, unknownCommand } from './cli/tree.ts'
import { version } from './cli/version.ts'
import { CoeError, exitCodes, isStop, usage } from './core/errors.ts'
import { createRedactor, type Redactor } from './io/redact.ts'
import { type ColourMode, makeStyle, wantsColour } from './io/style.ts'
import { colourSetting, wire } from './wire.ts'
import { completeLine } from './wiring/complete-line.ts'
import { registry } from './wiring/registry.ts'

export async function main(argv: readonly string[], host: Host): Promise<number> {
  const { controller, dispose } = watchSignals(host)
  const run: Run = {
    host,
    signal: controller.signal,
    redactor: createRedactor(),
    colour: 'auto',
    line: lineOf(new Map()),
  }
  try {
    return await dispatch(argv, run)
  } catch (error) {
    return printFailure(argv, run, told(error, controller.signal))
  } finally {
    dispose()
  }
}

/** A run that was stopped knows what stands and how to go on; what else fails then fails because of the stop. */
function told(error: unknown, signal: AbortSignal): unknown {
  return signal.aborted && !isStop(error) ? signal.reason : error
}

export interface Run {
  host: Host
  signal: AbortSignal
  redactor: Redactor
  /** As it is known by now: also for a failure on the way. */
  colour: ColourMode
  /** For what shows commands to run next. */
  line: LineOf
}

/** Options that may stand before the words are known. */
const everywhere = [...Object.values(globalOptions), ...anyOutputOptions]

async function dispatch(argv: readonly string[], run: Run): Promise<number> {
  const { host } = run
  if (argv[0] === '__complete') {
    host.onCommand?.('__complete')
    return completeLine(argv.slice(1), run)
  }
  const found = findCommand(registry, argv, everywhere)
  if (found.entry === undefined) return withoutCommand(found, host)
  const command = await found.entry.load()
  host.onCommand?.(command.words)
  const options = allOptions(command)
  const { given, positionals } = split(found.rest, Object.values(options), command.words, command.strangeOption)
  run.line = lineOf(given)
  if (given.has('help')) {
    const { commandHelp } = await import('./cli/help/help.ts')
    await showing(commandHelp(command, options, page(host)), host)
    return exitCodes.ok
  }
  // asked for behind a command as well: whoever wants to know a version wants nothing changed
  if (given.has('version')) return printVersion(host)
  return runCommand(command, given, positionals, run)
}

async function runCommand(
  command: AnyCommand,
  given: GivenOptions,
  positionals: readonly string[],
  run: Run,
): Promise<number> {
  const globals = optionValues(globalOptions, given, command.words) as Globals
  run.colour = globals.color ?? 'auto'
  const chosen = optionValues(outputOptions(command.output), given, command.words) as OutputChoice
  checkPairs(chosen)
  const input = {
    options: optionValues(command.options, given, command.words),
    args: argumentValues(command, positionals),
    given: (key: string) => given.has((command.options as Record<string, OptionSpec>)[key]?.name ?? key),
  }
  if (chosen.column?.length) {
    checkColumns(command, chosen, input.options.dryRun === true)
  }
  const failures: unknown[] = []
  run.colour = globals.color ?? (await colourSetting(run.host, command))
  const context = await wire({ ...run, globals, chosen, command, given, registry, failures })
  try {
    // what cannot be done here is refused before the user is asked anything
    if (command.needs) await context.backend()
    else if (needsMode(command, given)) await context.mode()
    const result = await command.run(context, input)
    run.signal.throwIfAborted()
    context.progress.stop()
    if (result) await print(command, chosen, result, context)
    if (command.output.kind === 'list' && result?.rows?.length === 0) tellEmpty(context)
    if (failures.length) return worstExit(failures, result?.anyWorked ?? false)
    return result?.exit ?? exitCodes.ok
  } catch (error) {
    // of several requests that were under way when the run was stopped, the one that is thrown is told by main
    const others = failures.filter(f => isStop(f) && f !== error && f !== run.signal.reason)
    for (const other of others) printFailure(run.host.argv, run, other)
    throw error
  } finally {
    context.progress.stop()
    if (changesNames.test(command.words))
      await (await import('./cli/complete/kept-names.ts')).forgetNames(run.host.world)
    await context.close()
  }
}

/** What Tab offers is another thing after these. */
const changesNames = /(^| )(create|delete|update|init|join|unjoin|resume)$/

async function print(
  command: AnyCommand,
  chosen: OutputChoice,
  result: NonNullable<Awaited<ReturnType<AnyCommand['run']>>>,
  context: Context,
): Promise<void> {
  const { stdout } = context.streams
  let text = ''
  const kept = {
    isTTY: stdout.isTTY,
    columns: stdout.columns,
    write(piece: string) {
      text += piece
    },
  }
  const terminal = { stdout: kept, colour: context.style.colour, env: context.world.env, warn: context.warn }
  await printResult(command.output, result, chosen, terminal)
  if (text !== '') await showing(text, context.host)
}

/** Loaded where it may be needed: most output is for programs. */
async function showing(text: string, host: Host): Promise<void> {
  if (!host.streams.stdout.isTTY) return host.streams.stdout.write(text)
  await show(text, host)
}

/** An empty line looks like nothing had been asked; scripts want no more than that. */
function tellEmpty({ streams, note }: Context): void {
  if (streams.stdout.isTTY && streams.stderr.isTTY) note('there is nothing to list')
}

function checkPairs(chosen: OutputChoice): void {
  if (chosen.sortAscending && chosen.sortDescending)
    throw usage('--sort-ascending and --sort-descending exclude each other')
}

/** Only words of a group, or none: help if that was asked for, else what there is, as an error. */
async function withoutCommand(found: Found, host: Host): Promise<number> {
  if (found.unknown !== undefined) throw unknownCommand(registry, found)
  const { given } = split(found.rest, everywhere, found.words.join(' '))
  if (given.has('version')) return printVersion(host)
  const { groupHelp } = await import('./cli/help/help.ts')
  const asked = given.has('help')
  if (!asked && wantsJson(host.argv)) {
    const of =
      found.words.length > 0 ? `"coe ${found.words.join(' ')}" needs one of its commands` : 'coe needs a command'
    throw usage(of, { hint: `see "coe ${[...found.words, '--help'].join(' ')}"` })
  }
  const text = groupHelp(registry, found.words, page(host))
  if (asked) await showing(text, host)
  else host.streams.stderr.write(text)
  return asked ? exitCodes.ok : exitCodes.usage
}

function printVersion({ streams }: Host): number {
  streams.stdout.write(`coe ${version}\n`)
  return exitCodes.ok
}

const page = (host: Host) => ({
  style: makeStyle(wantsColour('auto', host.world.env, host.streams.stdout)),
  width: Math.min(host.streams.stdout.columns ?? 80, 120),
})

const stopOutcomes = { SIGINT: 'interrupted', SIGTERM: 'terminated', SIGHUP: 'hangup' } as const

/** The first signal ends what is going on in good order; the second ends the program. */
function watchSignals(host: Host): { controller: AbortController; dispose: () => void } {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal) // every request of a run listens to it, and there may be hundreds at once
  const dispose = host.onSignal(signal => {
    const outcome = stopOutcomes[signal]
    if (!controller.signal.aborted) return controller.abort(new CoeError(outcome, 'stopped'))
    // a terminal that goes away sends SIGHUP more than once: by the kernel, and by the shell
    if (signal !== 'SIGHUP') host.exitNow(exitCodes[outcome])
  })
  return { controller, dispose }
}

function printFailure(argv: readonly string[], { host, redactor, colour, line }: Run, error: unknown): number {
  const { stderr } = host.streams
  const style = makeStyle(wantsColour(colour, host.world.env, stderr))
  const { text, exitCode } = describeFailure(error, {
    json: wantsJson(argv),
    stack: wantsStack(argv),
    tty: stderr.isTTY,
    width: stderr.columns,
    redact: redactor.redact,
    red: style.red,
    dim: style.dim,
    line,
  })
  stderr.write(redactor.redact(text))
  return exitCode
}

/** As JSON below: the failure may be that the words cannot be parsed. */
function wantsStack(argv: readonly string[]): boolean {
  const times = (word: string) => (word === '--verbose' ? 1 : /^-v+$/.test(word) ? word.length - 1 : 0)
  const verbose = argv.reduce((sum, word) => sum + times(word), 0)
  return verbose > 1 || argv.includes('--debug') || argv.includes('--trace')
}

/** Was JSON asked for? Looked up in the raw words: the failure may be that they cannot be parsed. */
function wantsJson(argv: readonly string[]): boolean {
  return argv.some(
    (word, i) =>
      /^(?:-[fo]=?|--format=|--output=)json$/.test(word) ||
      (/^(?:-[fo]|--format|--output)$/.test(word) && argv[i + 1] === 'json'),
  )
}
