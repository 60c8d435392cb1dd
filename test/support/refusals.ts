/** What people hand to standalone mode, and how they must be told: shared by the tables of bad input. */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { parse, stringify } from 'yaml'
import type { RunOptions, RunResult } from './run.ts'
import type { StandaloneLab } from './standalone.ts'

// biome-ignore lint/suspicious/noExplicitAny: kubeconfigs of every shape, broken ones among them
export type Loose = any
export type Edit = (entry: { config: Loose; cluster: Loose; user: Loose; context: Loose }) => void
export type Says = (string | RegExp)[]

/** Must be in no stream. */
export const secret = 'very-secret-token'
export const longestMs = 45_000

/** A kubeconfig in a folder of its own, with the entries of one context changed. */
export async function changed(lab: StandaloneLab, name: string, edit: Edit): Promise<string> {
  const config = parse(lab.sandbox.kubeconfig) as Loose
  const named = (list: Loose[], wanted: string) => list.find(entry => entry.name === wanted)
  const context = named(config.contexts, name)
  const cluster = named(config.clusters, context.context.cluster).cluster
  edit({ config, context, cluster, user: named(config.users, context.context.user) })
  const folder = await mkdtemp(join(lab.home, 'config-'))
  await writeFile(join(folder, 'config'), stringify(config))
  return join(folder, 'config')
}

export const plugin =
  (exec: object): Edit =>
  entry => {
    entry.user.user = {
      exec: { apiVersion: 'client.authentication.k8s.io/v1', interactiveMode: 'Never', command: 'sh', ...exec },
    }
  }

export const file = async (lab: StandaloneLab, text: string): Promise<string> => {
  const folder = await mkdtemp(join(lab.home, 'file-'))
  await writeFile(join(folder, 'config'), text)
  return join(folder, 'config')
}

export function expectClear(r: RunResult, code: number, says: readonly (string | RegExp)[]): void {
  for (const text of says) expect(r.err).toMatch(text)
  expect(r.err).toMatch(/^coe: .{20}/m)
  // a place in a file is shown by a caret; everything else says what to do
  expect(r.err).toMatch(/^hint: .|^ +\| *\^/m)
  expect(r.err).not.toMatch(/\bat .*\.[tj]s:\d|this is a bug|undefined|\[object|DeprecationWarning/)
  expect(r.err).not.toContain(secret)
  expect(r.out).toBe('')
  expect(r.code).toBe(code)
}

/** What coe changed; a creation that the server refused is none. */
export const changesOf = ({ sandbox }: StandaloneLab) =>
  sandbox.log.writes().filter(w => w.agent.startsWith('coe/') && w.status !== 409)

export async function expectRefused(
  lab: StandaloneLab,
  line: string | readonly string[],
  options: RunOptions,
  code: number,
  says: readonly (string | RegExp)[],
): Promise<void> {
  lab.sandbox.log.clear()
  const began = Date.now()
  const r = await lab.run(line, options)
  expectClear(r, code, says)
  expect(Date.now() - began).toBeLessThan(longestMs)
  expect(changesOf(lab)).toEqual([])
}
