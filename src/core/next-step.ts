/**
 * Suggested next steps as data. Only cli/ turns a step into a command line, because only it knows the quoting of shells
 * and the cloud and kubeconfig of this run.
 */

/** An argument, or an option with its value; without a value it is a flag. */
export type StepArg = string | CommandOption

export interface CommandOption {
  readonly option: string
  readonly value?: string
}

interface CommandLine {
  /** `federation create`, as a list. */
  readonly words: readonly string[]
  readonly args: readonly StepArg[]
  /**
   * `resume`, `inspect`, `wait`, or a clause that the command completes: `delete the federation first`. Empty if the
   * preceding text says it.
   */
  readonly why: string
}

export interface CoeStep extends CommandLine {
  readonly program?: undefined
  /** Set if the command works only in one mode. */
  readonly mode?: 'standalone'
}

/** For tasks without a coe command. */
export interface KubectlStep extends CommandLine {
  readonly program: 'kubectl'
  readonly kubeconfig?: string | undefined
  readonly context?: string | undefined
}

export type NextStep = CoeStep | KubectlStep

/** @param words of the command, with blanks between them: `cluster show` */
export const nextStep = (why: string, words: string, ...args: StepArg[]): CoeStep => ({
  words: words.split(' '),
  args,
  why,
})

export const standaloneStep = (why: string, words: string, ...args: StepArg[]): CoeStep => ({
  ...nextStep(why, words, ...args),
  mode: 'standalone',
})

interface Place {
  kubeconfig?: string | undefined
  context?: string | undefined
}

/** @param words of the command, with blanks between them: `get all` */
export const kubectlStep = (
  why: string,
  words: string,
  args: readonly StepArg[] = [],
  place: Place = {},
): KubectlStep => ({
  program: 'kubectl',
  words: words.split(' '),
  args,
  why,
  ...place,
})

/** The same command with further arguments. */
export const extended = <S extends NextStep>(step: S, why: string, ...args: StepArg[]): S => ({
  ...step,
  why,
  args: [...step.args, ...args],
})

export const hasOption = ({ args }: NextStep, option: string): boolean =>
  args.some(arg => typeof arg !== 'string' && arg.option === option)

export const flagArg = (option: string, on: boolean | undefined = true): StepArg[] => (on ? [{ option }] : [])

/** One option per value; empty without a value. */
export const optionArgs = (option: string, value: string | readonly string[] | undefined): StepArg[] =>
  (value === undefined ? [] : [value].flat()).map(one => ({ option, value: one }))

/** The advice of an error. */
export interface Advice {
  hint?: string | undefined
  next?: readonly NextStep[] | undefined
}

/** All advice in order, without duplicates. */
export function allAdvice(...all: (Advice | undefined)[]): { hint: string | undefined; next: readonly NextStep[] } {
  const hints = all.flatMap(advice => advice?.hint ?? [])
  const steps = all.flatMap(advice => advice?.next ?? [])
  const next = [...new Map(steps.map(step => [JSON.stringify(step), step])).values()]
  return { hint: hints.length ? [...new Set(hints)].join('\n') : undefined, next }
}

/** The first advice that is not empty. */
export function firstAdvice(...all: (Advice | undefined)[]): Advice {
  const { hint, next } = all.find(advice => advice?.hint || advice?.next?.length) ?? {}
  return { hint, next }
}
