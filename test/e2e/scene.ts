/** What the scenarios of Magnum have in common: a program, names of their own, and an end at which nothing is left. */
import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { offer } from '../contract/openstack/belongings.ts'
import { type Ended, type Program, program, type RunSettings } from './program.ts'

export interface Scene extends Pick<Program, 'home' | 'run' | 'start'> {
  /** A name that nobody else has. */
  name(what: string): string
  /** Runs, expects success, and answers what was printed. */
  ok(line: string, settings?: RunSettings): Promise<string>
  json<T = Record<string, unknown>>(line: string): Promise<T>
  makeTemplate(what: string, more?: string): Promise<string>
  /** Looks whether all that bears our names is gone. */
  close(): Promise<void>
}

export const openstackThere = Boolean(process.env.OS_CLOUD)

export async function openScene(): Promise<Scene> {
  const coe = await program()
  const prefix = `e2e-${randomBytes(3).toString('hex')}`
  const ok: Scene['ok'] = async (line, settings) => {
    const ended = await coe.run(line, settings)
    expect(ended.code, told(line, ended)).toBe(0)
    return ended.out
  }
  const json = async <T>(line: string): Promise<T> => JSON.parse(await ok(`${line} -f json`)) as T
  const named = async (kind: string) =>
    (await json<{ name: string; uuid: string }[]>(`${kind} list`)).filter(one => one.name?.startsWith(prefix))
  return {
    home: coe.home,
    run: coe.run,
    start: coe.start,
    name: what => `${prefix}-${what}`,
    ok,
    json,
    async makeTemplate(what, more = '') {
      const name = `${prefix}-${what}`
      const of = `--image ${offer.image_id} --keypair ${offer.keypair_id} --external-network ${offer.external_network_id}`
      const flavors = `--flavor ${offer.flavor_id} --master-flavor ${offer.master_flavor_id}`
      await ok(`cluster template create ${name} ${of} ${flavors} --coe kubernetes --master-lb-enabled ${more}`)
      return name
    },
    async close() {
      const clusters = (await named('cluster')).map(({ uuid }) => uuid)
      if (clusters.length) await ok(`cluster delete ${clusters.join(' ')} --wait --ignore-not-found`)
      const templates = (await named('cluster template')).map(({ uuid }) => uuid)
      if (templates.length) await ok(`cluster template delete ${templates.join(' ')} --ignore-not-found`)
      expect([...(await named('cluster')), ...(await named('cluster template'))]).toEqual([])
      await coe.close()
    },
  }
}

/** For the message of an assertion that failed: what the user saw. */
export const told = (line: string, { code, out, err }: Ended): string => `coe ${line} → exit ${code}\n${out}${err}`
