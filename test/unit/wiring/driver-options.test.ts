/** Options of drivers, as the commands have them: several drivers may have one of the same name. */
import { expect, it } from 'vitest'
import type { DriverOption } from '../../../src/model/driver-option.ts'
import { driverOptions } from '../../../src/wiring/driver-options.ts'

const option = (changes: Partial<DriverOption> = {}): DriverOption => ({
  name: 'size',
  type: 'text',
  doc: 'how large it is',
  commands: ['federation create'],
  ...changes,
})
const specs = (...all: DriverOption[][]) =>
  driverOptions(
    'federation create',
    all.map((options, i) => ({ name: `engine_v${i + 1}`, options })),
  )

it('belong to the commands that they name', () => {
  const drivers = [{ name: 'engine_v1', options: [option({ commands: ['federation join'] })] }]
  expect([...driverOptions('federation join', drivers).keys()]).toEqual(['size'])
  expect([...driverOptions('federation create', drivers).keys()]).toEqual([])
})

it('of one name, type and text are one option of both drivers', () => {
  const size = specs([option({ fallback: '1' })], [option({ fallback: '1' })]).get('size')
  expect(size).toMatchObject({ group: 'Of drivers engine_v1 and engine_v2', help: 'how large it is', fallback: '1' })
})

it('of one name are told apart where they differ', () => {
  const size = specs([option()], [option({ doc: 'of its disk', fallback: '5Gi' })]).get('size')
  expect(size).toMatchObject({
    help: 'engine_v1: how large it is; engine_v2: of its disk',
    fallback: 'engine_v2: 5Gi',
  })
})

it('take what one of the drivers takes: the one at work checks it', () => {
  const size = specs([option({ pattern: '\\d+', value: 'N' })], [option({ pattern: '[a-z]+', value: 'WORD' })]).get(
    'size',
  )
  expect(size?.parse(['12'])).toBe('12')
  expect(size?.parse(['small'])).toBe('small')
  expect(() => size?.parse(['1a'])).toThrow('"1a" is not N or WORD')
  const choices = specs([option({ type: 'choice', choices: ['a'] })], [option({ type: 'choice', choices: ['a', 'b'] })])
  expect(choices.get('size')?.choices).toEqual(['a', 'b'])
})

it('are refused where it is a flag for one driver and takes a value for another', () => {
  const size = specs([option({ type: 'flag' })], [option()]).get('size')
  expect(size?.parse([])).toBeUndefined()
  expect(() => size?.parse(['x'])).toThrow('--driver NAME --driver-option size=VALUE')
})
