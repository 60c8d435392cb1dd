import { expect, it } from 'vitest'
import { memberArgs, memberOptions } from '../../../src/commands/federation/input/member-options.ts'
import {
  memberSettingNames,
  memberSettingsShape,
  statedSettings,
  withSettings,
} from '../../../src/model/member-settings.ts'

const all = { server: 'https://a:6443', labels: { a: 'b' }, region: 'eu', zones: ['z1', 'z2'], provider: 'p' }

it('has an option and a shape for each setting', () => {
  expect(Object.keys(memberOptions).sort()).toEqual([...memberSettingNames].sort())
  expect(memberSettingsShape(JSON.parse(JSON.stringify(all)))).toBeUndefined()
  for (const name of memberSettingNames) expect(memberSettingsShape({ [name]: 1 })).toMatchObject({ path: `.${name}` })
})

it('states what was given, and nothing else', () => {
  expect(statedSettings({ ...all, name: 'x' } as typeof all)).toEqual(all)
  expect(statedSettings({ labels: {}, zones: [], region: undefined })).toEqual({})
})

it('keeps what is not stated again, and adds labels to those there were', () => {
  expect(withSettings(all, {})).toEqual(all)
  expect(withSettings(all, { labels: { c: 'd' }, zones: ['z3'], region: 'us' })).toEqual({
    ...all,
    labels: { a: 'b', c: 'd' },
    zones: ['z3'],
    region: 'us',
  })
})

it('gives the arguments that state the same again', () => {
  const words = memberArgs(all).map(one => (typeof one === 'string' ? one : `--${one.option}=${one.value}`))
  expect(words.join(' ')).toBe(
    '--cluster-server=https://a:6443 --label=a=b --region=eu --zone=z1 --zone=z2 --provider=p',
  )
})
