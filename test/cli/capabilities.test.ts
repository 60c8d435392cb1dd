/** A command that a backend cannot do is refused in the mode of that backend, before anything is asked or sent; in the other it is taken. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ArgSpec, OptionSpec } from '../../src/cli/spec.ts'
import type { Mode } from '../../src/model/backend.ts'
import { modesWith } from '../../src/model/capability.ts'
import { registry } from '../../src/wiring/registry.ts'
import { startCloud, type TestCloud } from '../support/cloud.ts'
import { type StandaloneLab, startLab } from '../support/standalone.ts'

let cloud: TestCloud
let lab: StandaloneLab
beforeAll(async () => {
  cloud = await startCloud({ clusters: 1 })
  lab = await startLab({ members: 0 })
})
afterAll(() => Promise.all([cloud.close(), lab.close()]))

const commands = (await Promise.all(registry.entries.map(entry => entry.load()))).filter(command => command.needs)

/** Something for everything that it needs, so that only the mode is in question. */
function line({ words, args, options }: (typeof commands)[number]): string[] {
  const given = Object.values(args as Record<string, ArgSpec>).map(arg => arg.choices?.[0] ?? '1')
  const required = Object.values(options as Record<string, OptionSpec>).filter(option => option.required)
  return [...words.split(' '), ...given, ...required.flatMap(({ name }) => [`--${name}`, '1'])]
}

describe.each(commands.map(command => [command.words, command] as const))('coe %s', (_, command) => {
  it.each(['magnum', 'standalone'] as const)('in %s mode', async mode => {
    const { code, err } = await (mode === 'magnum' ? cloud : lab).run(line(command))
    const able: readonly Mode[] = modesWith(command.needs)
    if (able.includes(mode)) return expect(err).not.toContain('and this is')
    expect([code, err]).toEqual([
      2,
      expect.stringContaining(`"coe ${command.words}" works in ${able[0]} mode, and this is ${mode} mode`),
    ])
  })
})
