/** What is pasted goes where the run went that printed it; prose stays prose. */
import { expect, it } from 'vitest'
import { saidAgain } from '../../../src/cli/print/said-again.ts'

const given = (entries: Record<string, string>) =>
  new Map(Object.entries(entries).map(([key, value]) => [key, [value]]))
const words = ['cluster', 'federation']

it.each([
  ['at the end', 'wait for it: coe cluster wait dev', 'wait for it: coe --os-cloud prod cluster wait dev'],
  ['quoted', '"coe cluster show dev" tells why', '"coe --os-cloud prod cluster show dev" tells why'],
  ['standalone', 'coe --standalone federation list', 'coe --os-cloud prod --standalone federation list'],
  ['twice', 'coe cluster list\ncoe cluster list', 'coe --os-cloud prod cluster list\ncoe --os-cloud prod cluster list'],
])('a line %s says the cloud', (_, text, expected) => {
  expect(saidAgain(given({ 'os-cloud': 'prod' }), words)(text)).toBe(expected)
})

it.each([
  ['about itself', 'coe cannot know; coe clusters are others'],
  ['that asks for help', 'see "coe cluster create --help"'],
  ['for another program', 'kubectl --context coe cluster'],
])('words %s stay as they are', (_, text) => {
  const again = saidAgain(given({ 'os-cloud': 'prod' }), words)
  expect(again(text)).toBe(text)
})

it('files and clouds are quoted, secrets and what says nothing of the place left out', () => {
  const again = saidAgain(
    given({ kubeconfig: 'my file', 'os-password': 'x', insecure: '', format: 'json', quiet: '' }),
    words,
  )
  expect(again('coe cluster list')).toBe("coe --kubeconfig 'my file' --insecure cluster list")
})
