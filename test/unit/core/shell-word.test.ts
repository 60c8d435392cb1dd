import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { shellWord } from '../../../src/core/shell-word.ts'

it.each(['c2', 'magnum:prod', 'admin@kind-c2', '/home/me/.kube/config', 'a=b,c'])('%s is printed unchanged', word => {
  expect(shellWord(word)).toBe(word)
})

it.each(['', 'my context', "it's", '$(reboot)', 'a;b', '~/x', '`id`', 'a\nb', '*'])(
  'a shell takes %j for one word',
  word => {
    const script = `printf %s ${shellWord(word)}`
    expect(execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' })).toBe(word)
  },
)
