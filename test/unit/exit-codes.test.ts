/** Pages that name exit codes say what src/core/errors.ts says. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { exitCodes, exitMeanings } from '../../src/core/errors.ts'

const page = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

it('docs/errors.md has each kind of failure with its code', () => {
  const rows = [...page('docs/errors.md').matchAll(/^\| ((?:`\w+`(?:, )?)+) \| ([\d, ]+) \|/gm)]
  const named = rows.flatMap(([, kinds = '', codes = '']) => {
    const numbers = codes.split(', ').map(Number)
    return [...kinds.matchAll(/`(\w+)`/g)].map(([, kind], index) => [kind, numbers[index]])
  })
  const { ok: _, ...failures } = exitCodes
  // a bug is a failure that coe did not expect, and has no code of its own
  expect(Object.fromEntries(named)).toEqual({ ...failures, bug: exitCodes.failed })
})

it('README.md has the short meaning of each', () => {
  const line = /The exit code tells what happened: (.*?)\. With/s.exec(page('README.md'))?.[1] ?? ''
  const named = line
    .replace(/\s+/g, ' ')
    .split(' · ')
    .map(one => one.split(/ (.*)/).slice(0, 2))
  const below = Object.entries(exitCodes).filter(([, code]) => code < 128)
  expect(named.map(([code]) => Number(code))).toEqual(below.map(([, code]) => code))
  for (const [index, [, short = '']] of named.entries()) {
    const [outcome] = below[index] as [keyof typeof exitMeanings, number]
    expect(exitMeanings[outcome]).toContain(short)
  }
})
