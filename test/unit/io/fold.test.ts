import { expect, it } from 'vitest'
import { fold } from '../../../src/io/formats/fold.ts'

const lines = (text: string, width: number | undefined, label?: number) => fold(text, width, label).split('\n')

it('breaks between words, and changes nothing that fits or has no terminal', () => {
  expect(lines('the member did not answer in time', 16)).toEqual(['the member did', 'not answer in', 'time'])
  expect(lines('the member did not', 16, 5)).toEqual(['the member', 'did not'])
  expect(lines('short  text', 16)).toEqual(['short  text'])
  expect(lines('the member did not answer in time', undefined)).toHaveLength(1)
})

it('does not break long words, and indents the further lines like the first', () => {
  expect(lines('see https://example.com/a/b/c now', 12)).toEqual(['see', 'https://example.com/a/b/c', 'now'])
  expect(lines('  step one of two\nand', 10)).toEqual(['  step one', '  of two', 'and'])
})

it('keeps commands to paste on one line, a line of their own where they do not fit', () => {
  expect(lines('finish it with: coe federation join myfed c2; or do not', 30)).toEqual([
    'finish it with:',
    'coe federation join myfed c2;',
    'or do not',
  ])
  expect(lines('run "coe federation status myfed", then look', 25)).toEqual([
    'run',
    '"coe federation status myfed",',
    'then look',
  ])
  expect(lines('Use it with: kubectl --context a-long-name get clusters', 20)).toEqual([
    'Use it with:',
    'kubectl --context a-long-name get clusters',
  ])
})

it('measures columns, not characters', () => {
  expect(lines('東京 大阪 京都', 9)).toEqual(['東京 大阪', '京都'])
})
