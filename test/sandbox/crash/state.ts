/** What stands on all clusters and in the kubeconfig, in a form that two runs share. */
import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { parse } from 'yaml'
import type { StandaloneLab } from '../../support/standalone.ts'

/** Everything that there is, each by its place and name. */
export type State = ReadonlyMap<string, string>

/** Clusters come to rest a moment after a command does. */
export async function becomes(lab: StandaloneLab, wanted: State, after: string): Promise<void> {
  const look = async () => differences(wanted, await stateOf(lab))
  await expect.poll(look, { interval: 30, timeout: 5_000, message: after }).toEqual([])
}

export async function stateOf({ sandbox, kubeconfig }: StandaloneLab): Promise<State> {
  const federation = sandbox.federation('coe-fed-myfed')
  const places = [sandbox.host, ...sandbox.members, ...(federation ? [{ name: 'federation', ...federation }] : [])]
  const { contexts } = parse(await readFile(kubeconfig, 'utf8')) as { contexts: { name: string }[] }
  return new Map([
    ...places.flatMap(place => place.snapshot().map(({ key, object }) => [`${place.name}: ${key}`, told(key, object)])),
    ...contexts.map(({ name }) => [`context ${name}`, '']),
  ] as [string, string][])
}

/** What runs were there, and when, is in the records for people to read: it is no part of what they came to. */
const passing = ['history', 'updated-at', 'joined-at']

function told(key: string, object: unknown): string {
  const text = JSON.stringify(object, (field, value) => (field === 'coe/run' ? undefined : value))
  if (/^configmaps \S+\/coe-(federation|member)/.test(key)) {
    const { data, ...rest } = JSON.parse(text) as { data: Record<string, string> }
    return JSON.stringify({ ...rest, data: Object.entries(data).filter(([field]) => !passing.includes(field)) })
  }
  // pods have names and addresses by chance
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
