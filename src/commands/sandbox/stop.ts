import { defineCommand } from '../../cli/spec.ts'
import { poll } from '../../core/poll.ts'
import { forget, readRunning, startOf } from './state.ts'

export const sandboxStop = defineCommand({
  words: 'sandbox stop',
  summary: 'Stop the simulated cloud that runs in the background',
  args: {},
  options: {},
  examples: [{ line: 'coe sandbox stop', help: 'stop the cloud that "coe sandbox start" started' }],
  output: { kind: 'text' },
  offline: true,
  async run(context) {
    const { world } = context
    const running = await readRunning(world)
    if (!running) {
      context.say('no sandbox is running')
      return undefined
    }
    context.host.terminate(running.pid)
    await poll(async () => ((await startOf(running.pid)) === running.started ? undefined : true), {
      clock: world.clock,
      timeoutMs: 10_000,
      intervalMs: 50,
      maxIntervalMs: 200,
      what: 'the sandbox to end',
    })
    await forget(world, running)
    context.host.onCommand?.('') // in a shell of the sandbox the cache was deleted, so this run must not write to it
    context.say('the sandbox has stopped')
    const leading = Object.keys(running.env).filter(name => world.env[name] === running.env[name])
    if (leading.length > 0) context.note(`this shell still points to it; to change that: unset ${leading.join(' ')}`)
    return undefined
  },
})
