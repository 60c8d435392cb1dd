/** What a backend can do, by noun and verb: a command runs where the backend has what it needs. */
import type { Backend, Mode } from './backend.ts'

export type Nouns = Omit<Backend, 'mode' | 'where'>
export type Noun = keyof Nouns

type Verb<N extends Noun> = keyof NonNullable<Nouns[N]> & string

/** `templates`: a noun with all its verbs; `federations.health`: a verb that not every backend has. */
export type Capability = Noun | { [N in Noun]: `${N}.${Verb<N>}` }[Noun]

export function isAble(backend: Backend, capability: Capability): boolean {
  const [noun, verb] = capability.split('.') as [Noun, string | undefined]
  const found = backend[noun] as Readonly<Record<string, unknown>> | undefined
  return found !== undefined && (verb === undefined || found[verb] !== undefined)
}

/**
 * What only one mode has, for help and hints, which open no backend. test/cli/capabilities.test.ts compares it with the
 * backends.
 */
export const ofOneMode: Readonly<Record<Mode, readonly Capability[]>> = {
  magnum: ['templates', 'nodegroups', 'certificates', 'credentials', 'quotas', 'stats', 'services'],
  standalone: [
    'federations.at',
    'federations.health',
    'federations.access',
    'federations.images',
    'federations.resume',
  ],
}

/** The modes that have the capability. */
export function modesWith(capability: Capability | undefined): readonly Mode[] {
  const modes = Object.keys(ofOneMode) as Mode[]
  const only = modes.filter(mode => capability !== undefined && ofOneMode[mode].includes(capability))
  return only.length ? only : modes
}
