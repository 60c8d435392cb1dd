import { describe, expect, it } from 'vitest'
import { runCoe } from '../support/run.ts'

describe('coe without a command', () => {
  // difference: no-cloud-shell
  it('tells what there is on stderr, and that this was no command', async () => {
    const { code, out, err } = await runCoe('')
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/^usage: coe <command>/)
    expect(err).toContain('cluster …')
  })

  it('is an answer when help was asked for', async () => {
    const { code, out, err } = await runCoe('--help')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^usage: coe <command>/)
  })

  it('tells the commands of a group', async () => {
    const { code, err } = await runCoe('federation')
    expect(code).toBe(2)
    for (const verb of ['create', 'delete', 'update', 'list', 'show', 'join', 'unjoin']) expect(err).toContain(verb)
  })
})
