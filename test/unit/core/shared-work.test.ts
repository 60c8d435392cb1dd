/** Work that several callers wait for: none takes it from the others, and nobody left ends it. */
import { describe, expect, it } from 'vitest'
import { shareWork } from '../../../src/core/shared-work.ts'

/** Work that ends when it is told to, and notes how often it began and with what it was ended. */
function workshop() {
  const runs: { signal: AbortSignal; finish(value: string): void; fail(error: Error): void }[] = []
  const ask = shareWork(
    signal => new Promise<string>((finish, fail) => runs.push({ signal, finish, fail: error => fail(error) })),
  )
  const run = (i: number) => {
    const one = runs[i]
    if (one === undefined) throw new Error(`run ${i} was not begun`)
    return one
  }
  return { ask, runs, run }
}

describe('shared work', () => {
  it('is done once for all who ask while it is under way', async () => {
    const { ask, runs, run } = workshop()
    const both = Promise.all([ask(undefined), ask(new AbortController().signal)])
    run(0).finish('token')
    expect(await both).toEqual(['token', 'token'])
    expect(runs).toHaveLength(1)
  })

  it('goes on when one of two callers leaves', async () => {
    const { ask, run } = workshop()
    const leaving = new AbortController()
    const first = ask(leaving.signal)
    const second = ask(new AbortController().signal)
    leaving.abort(new Error('stopped'))
    await expect(first).rejects.toThrow('stopped')
    expect(run(0).signal.aborted).toBe(false)
    run(0).finish('token')
    expect(await second).toBe('token')
  })

  it('is aborted when the last caller leaves, and starts again for the next', async () => {
    const { ask, runs, run } = workshop()
    const only = new AbortController()
    const first = ask(only.signal)
    only.abort(new Error('stopped'))
    await expect(first).rejects.toThrow('stopped')
    expect(run(0).signal.reason).toMatchObject({ message: 'stopped' })
    const next = ask(undefined)
    expect(runs).toHaveLength(2)
    run(1).finish('new')
    expect(await next).toBe('new')
  })

  it('starts again for the next caller after a failure', async () => {
    const { ask, runs, run } = workshop()
    const first = ask(undefined)
    run(0).fail(new Error('no answer'))
    await expect(first).rejects.toThrow('no answer')
    const next = ask(undefined)
    run(1).finish('now')
    expect(await next).toBe('now')
    expect(runs).toHaveLength(2)
  })

  it('is not begun for a call that has ended already', async () => {
    const { ask, runs } = workshop()
    await expect(ask(AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped')
    expect(runs).toHaveLength(0)
  })
})
