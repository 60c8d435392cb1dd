/** The state of all clusters and the kubeconfig, in a form that is equal in two runs. */
import { readdir, readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { parse } from 'yaml'
import { poll } from '../../../src/core/poll.ts'
import { systemClock } from '../../../src/core/time.ts'
import type { StandaloneLab } from '../../support/standalone.ts'

/** All objects, by place and name. */
export type State = ReadonlyMap<string, string>

/** Waits for the state: clusters come to rest a moment after a command ends. */
export async function becomes(
  lab: StandaloneLab,
  wanted: State,
  after: string,
  about: (key: string) => boolean = () => true,
): Promise<void> {
  const only = (state: State): State => new Map([...state].filter(([key]) => about(key)))
  const look = async () => differences(only(wanted), only(await stateOf(lab)))
  await expect.poll(look, { interval: 30, timeout: 30_000, message: after }).toEqual([])
}

/** The state once nothing changes any more. */
export async function stateAtRest(lab: StandaloneLab): Promise<State> {
  const states: State[] = []
  const still = async () => {
    states.push(await stateOf(lab))
    const last = states.slice(-quietReads)
    const [first] = last as [State]
    return last.length === quietReads && last.every(state => differences(first, state).length === 0) ? first : undefined
  }
  const what = 'the clusters to come to rest'
  return poll(still, { clock: systemClock, intervalMs: 100, maxIntervalMs: 100, timeoutMs: 60_000, what })
}

const quietReads = 10

export async function stateOf(lab: StandaloneLab): Promise<State> {
  const { sandbox, home } = lab
  const federation = sandbox.federation('coe-fed-myfed')
  const places = [sandbox.host, ...sandbox.members, ...(federation ? [{ name: 'federation', ...federation }] : [])]
  // no lock and no half-written file stays in the user's folders
  const files = (await readdir(home)).filter(name => !name.startsWith('.'))
  return new Map([
    ...places.flatMap(place =>
      place.snapshot().map(({ key, object }) => [`${place.name}: ${key}`, comparable(key, object)]),
    ),
    ...(await kubeconfigEntries(lab)),
    ...files.map(name => [`file ${name}`, '']),
  ] as [string, string][])
}

type Entries = Record<string, { name: string }[]>

/** The entries of the user's kubeconfig: earlier ones stay identical; in ours, keys and certificates vary. */
async function kubeconfigEntries({ kubeconfig, sandbox }: StandaloneLab): Promise<[string, string][]> {
  const original = parse(sandbox.kubeconfig) as Entries
  const now = parse(await readFile(kubeconfig, 'utf8')) as Entries
  return ['clusters', 'users', 'contexts', 'current-context'].flatMap(section => {
    if (!Array.isArray(now[section])) return [[`kubeconfig ${section}`, String(now[section])]]
    const old = new Set(original[section]?.map(entry => JSON.stringify(entry)))
    return now[section].map((entry): [string, string] => [
      `kubeconfig ${section} ${entry.name}`,
      old.has(JSON.stringify(entry)) ? 'as it was' : shapeOf(entry),
    ])
  })
}

const shapeOf = (entry: unknown): string =>
  JSON.stringify(entry, (field, value) => (/-data$|^(server|uuid|host-uid)$/.test(field) ? `<${field}>` : value))

/** The history and times in records, which do not belong to the resulting state. */
const transient = ['history', 'updated-at', 'joined-at']

function comparable(key: string, object: unknown): string {
  const text = JSON.stringify(object, (field, value) => (field === 'coe/run' ? undefined : value))
  if (/^configmaps \S+\/coe-(federation|member)/.test(key)) {
    const { data, ...rest } = JSON.parse(text) as { data: Record<string, string> }
    return JSON.stringify({ ...rest, data: Object.entries(data).filter(([field]) => !transient.includes(field)) })
  }
  // pods have random names and addresses
  return text.replace(/<hash>-[a-z0-9]{5}"/g, '<pod>"').replace(/"10\.24\d\.\d+\.\d+"/g, '"<pod IP>"')
}

function differences(wanted: State, found: State): string[] {
  const missing = [...wanted.keys()].filter(key => !found.has(key)).map(key => `missing: ${key}`)
  const more = [...found].flatMap(([key, text]) => {
    const other = wanted.get(key)
    if (other === text) return []
    return [other === undefined ? `too much: ${key}` : `not the same: ${key}\n  wanted ${other}\n  found  ${text}`]
  })
  return [...missing, ...more]
}
