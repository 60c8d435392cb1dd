/** Turns next steps into command lines to paste: quoted for a shell, with the cloud and kubeconfig options of this run. */
import type { Advice, NextStep, StepArg } from '../../core/next-step.ts'
import { shellWord } from '../../core/shell-word.ts'
import { globalOptions } from '../options/globals.ts'
import type { GivenOptions } from '../parse/parser.ts'

export type LineOf = (step: NextStep) => string

const globals = Object.values(globalOptions)
const secrets = new Set(globals.filter(o => o.secret).map(o => o.name))
const repeated = globals.filter(
  o => !o.secret && (o.group === 'OpenStack' || o.name === 'kubeconfig' || o.name === 'insecure'),
)

export function lineOf(given: GivenOptions): LineOf {
  return step => {
    const args = step.args.filter(arg => !isSecret(arg))
    const named = new Set(args.flatMap(arg => (typeof arg === 'string' ? [] : arg.option)))
    const place = step.program === 'kubectl' ? kubectlPlace(step, given) : coePlace(given, named)
    const mode = step.program === undefined && step.mode === 'standalone' ? ['--standalone'] : []
    const words = [...place, ...mode, ...step.words.map(shellWord), ...args.map(argText)]
    return [step.program ?? 'coe', ...words].join(' ')
  }
}

const isSecret = (arg: StepArg): boolean => typeof arg !== 'string' && secrets.has(arg.option)

function argText(arg: StepArg): string {
  if (typeof arg === 'string') return shellWord(arg)
  const option = arg.option.length === 1 ? `-${arg.option}` : `--${arg.option}`
  return arg.value === undefined ? option : `${option} ${shellWord(arg.value)}`
}

/** @param named options of the step itself, which take precedence */
const coePlace = (given: GivenOptions, named: ReadonlySet<string>): string[] =>
  repeated.flatMap(({ name, value }) => {
    const last = given.get(name)?.at(-1)
    if (last === undefined || named.has(name)) return []
    return [value === undefined ? `--${name}` : `--${name} ${shellWord(last)}`]
  })

function kubectlPlace(
  { kubeconfig, context }: { kubeconfig?: string | undefined; context?: string | undefined },
  given: GivenOptions,
) {
  const file = kubeconfig ?? given.get('kubeconfig')?.at(-1)
  return [
    ...(file === undefined ? [] : [`--kubeconfig ${shellWord(file)}`]),
    ...(context === undefined ? [] : [`--context ${shellWord(context)}`]),
  ]
}

const reasons: Readonly<Record<string, string>> = {
  resume: 'to continue, run',
  inspect: 'look at it',
  wait: 'wait for it',
}

/** A text, and a line for each step below it. */
export const withSteps = (
  text: string | undefined,
  next: readonly NextStep[] | undefined,
  line: LineOf,
  between = '\n',
): string => [...(text ? [text] : []), ...(next ?? []).map(step => reasoned(step, line))].join(between)

/** The same on one line, for a cell of a table. */
export const inOneLine = ({ hint, next }: Advice, line: LineOf): string => withSteps(hint, next, line, '; ')

const reasoned = (step: NextStep, line: LineOf): string =>
  step.why === '' ? line(step) : `${reasons[step.why] ?? step.why}: ${line(step)}`

/** For `-f json`. */
export const stepObject = (step: NextStep, line: LineOf) => ({
  program: step.program ?? 'coe',
  ...(step.program === undefined && step.mode ? { mode: step.mode } : {}),
  ...(step.program === 'kubectl' && step.context !== undefined ? { context: step.context } : {}),
  words: step.words,
  args: step.args.filter(arg => !isSecret(arg)),
  why: step.why,
  line: line(step),
})
