/** Builds the Context of a command. Settings, cloud and backend are made on first use, because they cost time. */
import type { Context } from './cli/context.ts'
import { describeFailure } from './cli/failure.ts'
import type { Host } from './cli/host.ts'
import { openLogFile } from './cli/log-file.ts'
import { decideMode } from './cli/mode.ts'
import type { Globals } from './cli/options/globals.ts'
import type { OutputChoice } from './cli/options/output-options.ts'
import { refuseOtherModes, switchTo } from './cli/parse/modes.ts'
import type { GivenOptions } from './cli/parse/parser.ts'
import { type LineOf, withSteps } from './cli/print/next-step.ts'
import { isFormatted, wasFormatted } from './cli/print/print.ts'
import type { AnyCommand, Column } from './cli/spec.ts'
import { requestTracer } from './cli/tracer.ts'
import type { Registry } from './cli/tree.ts'
import type { CloudReader } from './config/clouds/clouds.ts'
import { loadSettings, type Settings } from './config/settings.ts'
import { isStop, usage } from './core/errors.ts'
import type { NextStep } from './core/next-step.ts'
import type { World } from './core/world.ts'
import { sameColumn } from './io/formats/columns.ts'
import { fold } from './io/formats/fold.ts'
import { type LogLevel, makeLog } from './io/log.ts'
import { makeReporter } from './io/progress.ts'
import type { Redactor } from './io/redact.ts'
import { sanitize } from './io/sanitize.ts'
import { type ColourMode, makeStyle, wantsColour } from './io/style.ts'
import type { Backend, Mode } from './model/backend.ts'
import { isAble, modesWith } from './model/capability.ts'
import { makeOpener } from './wiring/opener.ts'

export interface Wiring {
  host: Host
  signal: AbortSignal
  /** config.yaml and the environment, read once. */
  settings(): Promise<Settings>
  globals: Globals
  chosen: OutputChoice
  command: AnyCommand
  /** The options on the command line. */
  given: GivenOptions
  registry: Registry
  redactor: Redactor
  colour: ColourMode
  line: LineOf
  /** Filled by `report` with the failures of single items. */
  failures: unknown[]
}

export async function wire(wiring: Wiring): Promise<Context> {
  const { host, signal, globals, chosen, command, redactor, colour, line: lineTo } = wiring
  const { world, streams } = host
  const { stderr } = streams
  const ci = world.env.CI !== undefined && world.env.CI !== '' && world.env.CI !== 'false'
  const style = makeStyle(wantsColour(colour, world.env, streams.stdout))
  const errStyle = makeStyle(wantsColour(colour, world.env, stderr))
  const file =
    globals.logFile === undefined ? undefined : await openLogFile(globals.logFile, world, text => context.warn(text))
  const level = levelOf(globals)
  const log = makeLog({ level, stderr, redactor, clock: world.clock, style: errStyle, file })
  const interactive = streams.stdin.isTTY && stderr.isTTY && !ci && globals.noInput !== true
  const quiet = level === 'quiet'
  const stepLine = (step: NextStep) => withSteps(undefined, [step], lineTo)
  const progress = makeReporter({ stderr, clock: world.clock, quiet, ci, style: errStyle, redactor, stepLine })
  const formatted = isFormatted(command.output, chosen)
  const aside = formatted && (!command.output.announces || wasFormatted(chosen))

  let warned = false
  const warnOfIgnoredVariable = () => {
    if (warned || world.env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return
    warned = true
    context.warn('NODE_TLS_REJECT_UNAUTHORIZED=0 is ignored: certificates are verified; --insecure turns that off')
  }
  const tracer = requestTracer({ log, redactor, world, stderr, timing: globals.timing === true })
  const open = makeOpener({
    host,
    globals,
    settings: () => context.settings(),
    secrets: redactor,
    tracer,
    log,
    interactive,
  })
  let settings: Promise<Settings> | undefined
  let backend: Promise<Backend> | undefined
  let mode: Promise<Mode> | undefined
  const context: Context = {
    host,
    world,
    streams,
    globals,
    signal,
    style,
    log,
    redactor,
    registry: wiring.registry,
    formatted,
    chosen,
    wide: wantsWide(command, chosen),
    interactive,
    call: {
      signal,
      caller: { name: world.hostname, interactive },
      report: progress,
    },
    settings() {
      settings ??= settingsWithWarnings(wiring, context)
      return settings
    },
    async cloud() {
      warnOfIgnoredVariable()
      return (await open.cloud()).within(signal)
    },
    mode() {
      mode ??= resolveMode(wiring, context, open.clouds)
      return mode
    },
    backend() {
      warnOfIgnoredVariable()
      backend ??= context.mode().then(async m => refuseUnable(await open.backend(m), wiring.command))
      return backend
    },
    drivers: open.drivers,
    line: lineTo,
    say: (line, next) => {
      if (aside && level === 'quiet') return // the object has everything
      const text = redactor.redact(withSteps(line, next, lineTo))
      const sink = aside ? stderr : streams.stdout
      sink.write(`${sink.isTTY ? fold(sanitize(text), sink.columns) : text}\n`)
    },
    note: (line, next) => {
      // notes may quote others: the holder of a lock, the stderr of a credential plugin
      const text = redactor.redact(withSteps(line, next, lineTo))
      if (level !== 'quiet')
        stderr.write(`${errStyle.dim(stderr.isTTY ? fold(sanitize(text), stderr.columns) : text)}\n`)
    },
    warn: line => log.warn(line),
    report(error) {
      progress.stop()
      if (!signal.aborted || isStop(error)) wiring.failures.push(error)
      // a stopped run ends here; main prints what was interrupted
      if (signal.aborted) throw isStop(error) ? error : signal.reason
      const format = {
        json: chosen.format === 'json',
        stack: log.enabled('debug'),
        tty: stderr.isTTY,
        width: stderr.columns,
        redact: redactor.redact,
        red: errStyle.red,
        dim: errStyle.dim,
        line: lineTo,
      }
      stderr.write(redactor.redact(describeFailure(error, format).text))
    },
    progress,
    operation: async ({ wait = false, waitTimeout, dryRun = false, checksResult = wait }) => {
      if (waitTimeout !== undefined && !checksResult)
        context.warn('--wait-timeout has no effect without --wait: nothing is waited for')
      return {
        wait,
        waitTimeoutMs: waitTimeout ?? (await context.settings()).get('wait_timeout').value,
        dryRun,
      }
    },
    async close() {
      await file?.close()
    },
  }
  return context
}

export function settingsOnce(world: World, { standalone }: Globals): () => Promise<Settings> {
  let loading: Promise<Settings> | undefined
  return () => {
    loading ??= loadSettings(world, { standalone })
    return loading
  }
}

/** From COE_COLOR or config.yaml. A file that cannot be read fails later, for commands that need more than a colour. */
export async function colourSetting(load: () => Promise<Settings>, { offline }: AnyCommand): Promise<ColourMode> {
  if (offline) return 'auto'
  const settings = await load().catch(() => undefined)
  return settings?.get('color').value ?? 'auto'
}

function levelOf(globals: Globals): LogLevel {
  if (globals.trace) return 'trace'
  if (globals.debug || globals.verbose > 1) return 'debug'
  if (globals.verbose === 1) return 'info'
  return globals.quiet ? 'quiet' : 'normal'
}

function wantsWide(command: AnyCommand, chosen: OutputChoice): boolean {
  const long = (command.output.columns ?? []).filter((c: Column) => c.long)
  return chosen.format === 'wide' || (chosen.column ?? []).some(asked => long.some(c => sameColumn(c.name, asked)))
}

async function settingsWithWarnings({ settings: load }: Wiring, context: Context): Promise<Settings> {
  const settings = await load()
  for (const warning of settings.warnings) context.warn(warning)
  return settings
}

async function resolveMode(wiring: Wiring, context: Context, read: CloudReader): Promise<Mode> {
  const { mode, origin, note } = await decideMode(wiring.host.world, wiring.globals, await context.settings(), read)
  context.log.info(`${mode} mode (${origin})`)
  refuseOtherModes(wiring.command, wiring.given, mode)
  if (note && wiring.host.streams.stderr.isTTY) context.note(note)
  return mode
}

function refuseUnable(backend: Backend, { words, needs }: AnyCommand): Backend {
  if (needs === undefined || isAble(backend, needs)) return backend
  const able = modesWith(needs)
  throw usage(`"coe ${words}" works in ${able.join(' and ')} mode, and this is ${backend.mode} mode`, {
    hint: switchTo(able[0]),
  })
}
