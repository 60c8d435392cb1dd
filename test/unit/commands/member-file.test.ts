import { describe, expect, it } from 'vitest'
import { membersIn } from '../../../src/commands/federation/input/member-file.ts'
import { parseYamlInput } from '../../../src/config/yaml/yaml-input.ts'
import { failureOf } from '../../support/kube.ts'

const read = async (text: string) => membersIn(await parseYamlInput(text, 'm.yaml', 'list of members'), [])
const refusal = async (text: string) => {
  const error = await failureOf(read(text))
  return `${error.message}\n${error.hint ?? ''}`
}

describe('members in a file', () => {
  it('are names, or mappings that say more', async () => {
    const text = `
- c2   # a context
- cluster: magnum:prod
  name: prod
  server: https://10.0.0.7:6443
  labels: { tier: test, size: 10, spot: true, empty: "" }
  region: 1
  zones: [a, 2]
  provider: acme
- { cluster: c4, zones: solo }
`
    expect(await read(text)).toEqual([
      { cluster: 'c2' },
      {
        cluster: 'magnum:prod',
        name: 'prod',
        server: 'https://10.0.0.7:6443',
        labels: { tier: 'test', size: '10', spot: 'true', empty: '' },
        region: '1',
        zones: ['a', '2'],
        provider: 'acme',
      },
      { cluster: 'c4', zones: ['solo'] },
    ])
  })

  it('are none where there is nothing', async () => {
    const input = await parseYamlInput('name: myfed\n', 'fed.yaml', 'description')
    expect(membersIn(input, ['members'])).toEqual([])
  })

  const wrong: [string, string, string][] = [
    ['a name that stands twice', '- c2\n- c3\n- cluster: c2', 'line 3, column 3: "c2" is in the list already'],
    [
      'two of one name',
      '- {cluster: c2, name: a}\n- {cluster: c3, name: a}',
      'line 2, column 23: another member is named "a"',
    ],
    ['what a member does not have', '- cluster: c2\n  regoin: eu', 'line 2, column 3: a member has no "regoin"'],
    ['no cluster', '- c2\n- name: x', 'line 2, column 3: it does not say which cluster'],
    ['a list in the list', '- [c2]', "line 1, column 3: a cluster's name is expected here"],
    ['labels that are a list', '- cluster: c2\n  labels: [a]', 'line 2, column 11: labels are keys with values'],
    ['a text that is none', '- cluster: c2\n  region: {a: b}', 'line 2, column 11: a text is expected here'],
    ['what is no list', 'c2', 'line 1, column 1: a list of clusters is expected here'],
    ['a bracket that is not closed', '- {cluster: c2', 'm.yaml, line 1, column'],
  ]
  for (const [name, text, message] of wrong) {
    it(`${name}: the place is told, with a caret`, async () => {
      const said = await refusal(text)
      expect(said).toContain(message)
      expect(said).toMatch(/\n\s+\| *\^/)
    })
  }

  it('a word that is nearly right is told', async () => {
    expect(await refusal('- cluster: c2\n  regoin: eu')).toContain('region')
  })
})
