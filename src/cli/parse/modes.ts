/** Refuses options and columns that do not apply in the mode of the run, for every command. */
import { usage } from '../../core/errors.ts'
import { sameColumn } from '../../io/formats/columns.ts'
import type { Mode } from '../../model/backend.ts'
import type { AnyCommand, Column, OptionSpec } from '../spec.ts'
import type { GivenOptions } from './parser.ts'

interface OfOneMode {
  /** As on the command line: `--probe`, `-c member_of`. */
  written: string
  kind: 'option' | 'column'
  mode: Mode
}

function ofOneMode({ options, output }: AnyCommand, given: GivenOptions): OfOneMode[] {
  const specs = Object.values(options as Record<string, OptionSpec>).filter(spec => given.has(spec.name))
  const named = given.get('column') ?? []
  const columns = (output.columns ?? []).filter((c: Column) => named.some(name => sameColumn(name, c.name)))
  return [
    ...specs.map(({ name, mode }) => ({ written: `--${name}`, kind: 'option' as const, mode })),
    ...columns.map(({ name, mode }) => ({ written: `-c ${name}`, kind: 'column' as const, mode })),
  ].flatMap(one => (one.mode === undefined ? [] : { ...one, mode: one.mode }))
}

/** True if the mode must be known before the command asks the user anything. */
export const needsMode = (command: AnyCommand, given: GivenOptions): boolean => ofOneMode(command, given).length > 0

/** Options of every command are not checked: `--os-*` with `--standalone` serve `magnum:` references. */
export function refuseOtherModes(command: AnyCommand, given: GivenOptions, mode: Mode): void {
  const wrong = ofOneMode(command, given).filter(one => one.mode !== mode)
  const [first] = wrong
  if (first === undefined) return
  const same = wrong.filter(one => one.kind === first.kind)
  const are = same.length === 1 ? `this ${first.kind} is` : `these ${first.kind}s are`
  throw usage(`${same.map(one => one.written).join(', ')}: ${are} for ${first.mode} mode, and this is ${mode} mode`, {
    hint: switchTo(first.mode),
  })
}

export const switchTo = (mode: Mode | undefined): string =>
  mode === 'magnum'
    ? 'name a cloud with --os-cloud NAME (OS_CLOUD)'
    : 'add --standalone to work from kubeconfig contexts'
