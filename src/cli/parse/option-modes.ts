/** Options that have a meaning in one mode alone. Enforced here for every command: an option that is taken has an effect. */
import { usage } from '../../core/errors.ts'
import type { Mode } from '../../model/backend.ts'
import type { AnyCommand, OptionSpec } from '../spec.ts'
import type { Given } from './parser.ts'

const ofOneMode = ({ options }: AnyCommand, given: Given): OptionSpec[] =>
  Object.values(options as Record<string, OptionSpec>).filter(spec => spec.mode !== undefined && given.has(spec.name))

/** The mode has to be known before the command asks the user anything. */
export const needsMode = (command: AnyCommand, given: Given): boolean => ofOneMode(command, given).length > 0

/** Options of all commands are left alone: `--os-*` beside `--standalone` serve `magnum:` references. */
export function refuseOtherModes(command: AnyCommand, given: Given, mode: Mode): void {
  const wrong = ofOneMode(command, given).filter(spec => spec.mode !== mode)
  const [first] = wrong
  if (first === undefined) return
  const names = wrong.map(spec => `--${spec.name}`).join(', ')
  throw usage(
    `${names}: ${wrong.length === 1 ? 'this option is' : 'these options are'} for ${first.mode} mode, and this is ${mode} mode`,
    {
      hint: switchTo(first.mode),
    },
  )
}

export const switchTo = (mode: Mode | undefined): string =>
  mode === 'magnum'
    ? 'name a cloud with --os-cloud NAME (OS_CLOUD)'
    : 'add --standalone to work from kubeconfig contexts'
