/** argv → exit code. Finds the command, runs it, and prints its result or its error. */

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
import { colourSetting, settingsOnce, wire } from './wire.ts'
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
    return printFailure(argv, run, causeOf(error, controller.signal))
  } finally {
    dispose()
  }
}

/** After a stop, other failures are its consequences. The stop itself says what is done and how to resume. */
function causeOf(error: unknown, signal: AbortSignal): unknown {
  return signal.aborted && !isStop(error) ? signal.reason : error
}

export interface Run {
  host: Host
  signal: AbortSignal
  redactor: Redactor
  /** The best knowledge so far, so that an early failure is printed in the right colours, too. */
  colour: ColourMode
  /** Renders next steps as command lines. */
  line: LineOf
}

/** Options that are accepted before the command's words. */
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
  // `--version` after a command prints the version and runs nothing
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
  const settings = settingsOnce(run.host.world, globals)
  run.colour = globals.color ?? (await colourSetting(settings, command))
  const context = await wire({ ...run, settings, globals, chosen, command, given, registry, failures })
  try {
    // refuses what this mode cannot do before the user is prompted
    if (command.needs) await context.backend()
    else if (needsMode(command, given)) await context.mode()
    const result = await command.run(context, input)
    run.signal.throwIfAborted()
    context.progress.stop()
    if (result) await print(command, chosen, result, context)
    if (command.output.kind === 'list' && result?.rows?.length === 0) noteEmptyList(context)
    if (failures.length) return worstExit(failures, result?.anyWorked ?? false)
    return result?.exit ?? exitCodes.ok
  } catch (error) {
    // several requests may have been interrupted; main prints the one that is thrown
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

/** Commands after which the cached names for completion are out of date. */
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

/** The pager is loaded for terminals only: most output is for programs. */
async function showing(text: string, host: Host): Promise<void> {
  if (!host.streams.stdout.isTTY) return host.streams.stdout.write(text)
  await show(text, host)
}

/** At a terminal, empty output looks like a failure. Scripts get nothing but the empty output. */
function noteEmptyList({ streams, note }: Context): void {
  if (streams.stdout.isTTY && streams.stderr.isTTY) note('there is nothing to list')
}

function checkPairs(chosen: OutputChoice): void {
  if (chosen.sortAscending && chosen.sortDescending)
    throw usage('--sort-ascending and --sort-descending exclude each other')
}

/** The words name a group or nothing. Prints help if requested; otherwise lists the commands as an error. */
async function withoutCommand(found: Found, host: Host): Promise<number> {
  if (found.unknown !== undefined) throw unknownCommand(registry, found)
  const { given } = split(found.rest, everywhere, found.words.join(' '))
  if (given.has('version')) return printVersion(host)
  const { groupHelp } = await import('./cli/help/help.ts')
  const helpRequested = given.has('help')
  if (!helpRequested && wantsJson(host.argv)) {
    const of =
      found.words.length > 0 ? `"coe ${found.words.join(' ')}" needs one of its commands` : 'coe needs a command'
    throw usage(of, { hint: `see "coe ${[...found.words, '--help'].join(' ')}"` })
  }
  const text = groupHelp(registry, found.words, page(host))
  if (helpRequested) await showing(text, host)
  else host.streams.stderr.write(text)
  return helpRequested ? exitCodes.ok : exitCodes.usage
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

/** The first signal stops the run in good order; the second ends the program at once. */
function watchSignals(host: Host): { controller: AbortController; dispose: () => void } {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal) // hundreds of requests may listen at once
  const dispose = host.onSignal(signal => {
    const outcome = stopOutcomes[signal]
    if (!controller.signal.aborted) return controller.abort(new CoeError(outcome, 'stopped'))
    // a closed terminal sends SIGHUP twice: from the kernel and from the shell
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

/** Reads the raw arguments, like wantsJson: the failure may be that they cannot be parsed. */
function wantsStack(argv: readonly string[]): boolean {
  const times = (word: string) => (word === '--verbose' ? 1 : /^-v+$/.test(word) ? word.length - 1 : 0)
  const verbose = argv.reduce((sum, word) => sum + times(word), 0)
  return verbose > 1 || argv.includes('--debug') || argv.includes('--trace')
}

/** Reads the raw arguments: the failure may be that they cannot be parsed. */
function wantsJson(argv: readonly string[]): boolean {
  return argv.some(
    (word, i) =>
      /^(?:-[fo]=?|--format=|--output=)json$/.test(word) ||
      (/^(?:-[fo]|--format|--output)$/.test(word) && argv[i + 1] === 'json'),
  )
}
