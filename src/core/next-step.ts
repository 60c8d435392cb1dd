/**
 * What the user can do next, as data. Nothing below cli/ knows how a shell quotes a word, or which cloud and kubeconfig
 * this run was told to use: only cli/ makes a line of a step.
 */

/** An argument, or an option with its value; without a value it is a flag. */
export type StepArg = string | { readonly option: string; readonly value?: string }

interface CommandLine {
  /** `federation create`, as a list. */
  readonly words: readonly string[]
  readonly args: readonly StepArg[]
  /** `resume`, `inspect`, `wait`, or a clause that the line completes: `delete the federation first`. Empty where the text before says it. */
  readonly why: string
}

export interface CoeStep extends CommandLine {
  readonly program?: undefined
  /** Where it matters in which mode the line works. */
  readonly mode?: 'standalone'
}

/** For what coe has no command for. */
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

/** The same command with more to it. */
export const extended = <S extends NextStep>(step: S, why: string, ...args: StepArg[]): S => ({
  ...step,
  why,
  args: [...step.args, ...args],
})

export const hasOption = ({ args }: NextStep, option: string): boolean =>
  args.some(arg => typeof arg !== 'string' && arg.option === option)

export const flagArg = (option: string, on: boolean | undefined = true): StepArg[] => (on ? [{ option }] : [])

/** Nothing where there is no value; one option for each of several. */
export const optionArgs = (option: string, value: string | readonly string[] | undefined): StepArg[] =>
  (value === undefined ? [] : [value].flat()).map(one => ({ option, value: one }))

/** What an error says can be done about it. */
export interface Advice {
  hint?: string | undefined
  next?: readonly NextStep[] | undefined
}

/** One after the other; what is said twice is said once. */
export function allAdvice(...all: (Advice | undefined)[]): { hint: string | undefined; next: readonly NextStep[] } {
  const hints = all.flatMap(advice => advice?.hint ?? [])
  const steps = all.flatMap(advice => advice?.next ?? [])
  const next = [...new Map(steps.map(step => [JSON.stringify(step), step])).values()]
  return { hint: hints.length ? [...new Set(hints)].join('\n') : undefined, next }
}

/** Of the first that has any. */
export function firstAdvice(...all: (Advice | undefined)[]): Advice {
  const { hint, next } = all.find(advice => advice?.hint || advice?.next?.length) ?? {}
  return { hint, next }
}
