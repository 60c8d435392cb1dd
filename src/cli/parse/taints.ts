/** Taints of Kubernetes nodes: `KEY[=VALUE]:EFFECT`, separated by commas. */
import { didYouMean } from '../../core/text.ts'
import type { Taint } from '../../model/nodegroup-request.ts'
import { type OptionSpec, ValueProblem } from '../spec.ts'

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

function parseTaints(given: readonly string[]): Taint[] {
  const [only] = given
  const texts = given.length === 1 && only !== undefined ? only.split(/[,;]/) : given
  return texts.filter(text => text !== '').map(taint)
}

function taint(text: string): Taint {
  const at = text.lastIndexOf(':')
  const [key = '', ...rest] = text.slice(0, Math.max(at, 0)).split('=')
  const effect = text.slice(at + 1)
  if (at < 0 || key === '') throw new ValueProblem(`"${text}" is not of the form KEY=VALUE:EFFECT or KEY:EFFECT`)
  if (!effects.includes(effect)) {
    const near = didYouMean(effect, effects)
    throw new ValueProblem(`"${effect}" is not one of ${effects.join(', ')}${near ? `; ${near}` : ''}`)
  }
  return rest.length ? { key, value: rest.join('='), effect } : { key, effect }
}

/** Undefined if it is not given; an empty text removes all taints. */
export const taintList = (name: string, help: string): OptionSpec<Taint[] | undefined> => ({
  name,
  value: 'key=value:effect,…',
  help,
  repeat: true,
  parse: given => (given.length ? parseTaints(given) : undefined),
})
