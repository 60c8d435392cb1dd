/** Lines to paste go where the run went that printed them. */
import { expect, it } from 'vitest'
import { lineOf, stepObject, withSteps } from '../../../src/cli/print/next-step.ts'
import { extended, kubectlStep, nextStep, standaloneStep } from '../../../src/core/next-step.ts'

const given = (entries: Record<string, string>) =>
  new Map(Object.entries(entries).map(([key, value]) => [key, [value]]))
const there = lineOf(given({ 'os-cloud': 'prod' }))
const wait = nextStep('wait', 'cluster wait', 'dev')

it.each([
  ['names the cloud', wait, 'coe --os-cloud prod cluster wait dev'],
  ['and the mode', standaloneStep('', 'federation list'), 'coe --os-cloud prod --standalone federation list'],
  [
    'with options',
    extended(wait, '', { option: 'for', value: 'gone' }, { option: 'q' }),
    'coe --os-cloud prod cluster wait dev --for gone -q',
  ],
  [
    'but keeps its own cloud',
    nextStep('', 'cluster config', 'c', { option: 'os-cloud', value: 'b' }),
    'coe cluster config c --os-cloud b',
  ],
  [
    'and is quoted',
    nextStep('', 'cluster show', 'a b', { option: 'label', value: "it's" }),
    String.raw`coe --os-cloud prod cluster show 'a b' --label 'it'\''s'`,
  ],
])('a line %s', (_, step, line) => {
  expect(there(step)).toBe(line)
})

it('repeats files and clouds, and neither secrets nor what says nothing of the place', () => {
  const line = lineOf(given({ kubeconfig: 'my file', 'os-password': 'x', insecure: '', format: 'json', quiet: '' }))
  expect(line(nextStep('', 'cluster list'))).toBe("coe --kubeconfig 'my file' --insecure cluster list")
})

it('never repeats a secret that a step was given', () => {
  const step = nextStep('resume', 'cluster list', { option: 'os-password', value: 'x' })
  expect(there(step)).toBe('coe --os-cloud prod cluster list')
  expect(stepObject(step, there).args).toEqual([])
})

it('kubectl gets the kubeconfig that coe was given, unless the step names one', () => {
  const line = lineOf(given({ kubeconfig: 'mine', 'os-cloud': 'prod' }))
  const look = kubectlStep('inspect', 'get all', [{ option: 'n', value: 'x' }], { context: 'c2' })
  expect(line(look)).toBe('kubectl --kubeconfig mine --context c2 get all -n x')
  expect(line({ ...look, kubeconfig: 'theirs' })).toBe('kubectl --kubeconfig theirs --context c2 get all -n x')
})

it('the reason stands before the line, each step on a line of its own', () => {
  const text = withSteps('it is being made', [wait, nextStep('or delete it', 'cluster delete', 'dev')], there)
  expect(text).toBe(
    'it is being made\nwait for it: coe --os-cloud prod cluster wait dev\nor delete it: coe --os-cloud prod cluster delete dev',
  )
})

it('machines are told the mode of coe and the context of kubectl', () => {
  expect(stepObject(standaloneStep('', 'federation list'), there)).toMatchObject({ program: 'coe', mode: 'standalone' })
  const look = kubectlStep('inspect', 'get all', [], { context: 'c2' })
  expect(stepObject(look, there)).toMatchObject({ program: 'kubectl', context: 'c2' })
})

it('machines get the words, the arguments, the reason and the line', () => {
  expect(stepObject(wait, there)).toEqual({
    program: 'coe',
    words: ['cluster', 'wait'],
    args: ['dev'],
    why: 'wait',
    line: 'coe --os-cloud prod cluster wait dev',
  })
})
