import { choice, duration, intOr, text } from '../../cli/parse/values.ts'
import { ValueProblem } from '../../cli/spec.ts'

/** The options of the simulated cloud. */
export const sandboxOptions = {
  clusters: intOr('clusters', 'n', 'clusters that Magnum has at the start', 3, { min: 0, max: 5000 }),
  members: intOr('members', 'n', 'Kubernetes clusters besides the host', 2, { min: 0, max: 100 }),
  federation: choice(
    'federation',
    ['facade', 'working'] as const,
    "Magnum's federations: accepted but not stored, as by upstream (facade, the default), or working",
  ),
  latency: duration('latency', 'how long the Kubernetes API servers delay each answer, as if they were far away', {
    fallback: '0ms',
  }),
  speed: {
    ...text('speed', 'factor', 'how many times faster than real time', { fallback: '10' }),
    parse(given: readonly string[]): number {
      const speed = Number(given.at(-1) ?? 10)
      if (!(speed > 0)) throw new ValueProblem(`"${given.at(-1)}" is not a number above 0`)
      return speed
    },
  },
}

export interface SandboxValues {
  latency: number | undefined
  clusters: number
  members: number
  federation: 'facade' | 'working' | undefined
  speed: number
}

export const simulation = 'this is a simulation: none of its clusters is real, and all are gone when it ends'
