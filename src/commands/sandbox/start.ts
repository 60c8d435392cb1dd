import { spawn } from 'node:child_process'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { defineCommand } from '../../cli/spec.ts'
import { conflict, failed } from '../../core/errors.ts'
import { readIfExists } from '../../core/files.ts'
import { nextStep } from '../../core/next-step.ts'
import { poll } from '../../core/poll.ts'
import { exportLines } from './export-lines.ts'
import { type SandboxValues, sandboxOptions, simulation } from './options.ts'
import { readRunning, sandboxFolder, startOf, stateFile, writeRunning } from './state.ts'

export const sandboxStart = defineCommand({
  words: 'sandbox start',
  summary: 'Start a simulated cloud in the background',
  description:
    'Starts a simulated cloud that runs until "coe sandbox stop", and prints the lines that point a shell at it.',
  args: {},
  options: sandboxOptions,
  examples: [{ line: 'eval "$(coe sandbox start)"', help: 'use the simulated cloud in this shell' }],
  output: { kind: 'raw' },
  exits: { 5: 'a simulated cloud with other settings is running' },
  offline: true,
  async run(context, { options, given }) {
    const { world, host, signal } = context
    const running = await readRunning(world)
    if (running) {
      const others = (Object.keys(sandboxOptions) as (keyof SandboxValues)[]).filter(
        key => given(key) && running.like[key] !== options[key],
      )
      if (others.length > 0) {
        throw conflict(
          `a sandbox is already running, with ${others.length === 1 ? 'another' : 'other'} --${others.join(', --')}`,
          {
            next: [nextStep('stop it first', 'sandbox stop'), nextStep('or use it as it is', 'sandbox start')],
          },
        )
      }
      context.note('the sandbox is already running')
      return { text: exportLines(running.env, world.env) }
    }
    const folder = await mkdtemp(sandboxFolder)
    const log = await open(join(folder, 'log'), 'w', 0o600)
    const [command = '', ...self] = host.self
    const words = [
      'sandbox',
      'serve',
      '--folder',
      folder,
      '--clusters',
      `${options.clusters}`,
      '--members',
      `${options.members}`,
    ]
    words.push('--federation', options.federation ?? 'facade', '--speed', `${options.speed}`)
    if (options.latency !== undefined) words.push('--latency', `${options.latency}ms`)
    const child = spawn(command, [...self, ...words], {
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      env: { ...world.env },
    })
    child.unref()
    let ended = false
    child.once('exit', () => {
      ended = true
    })
    try {
      const env = await poll(
        async () => {
          if (ended) throw failed(`the sandbox did not start: ${(await readFile(join(folder, 'log'), 'utf8')).trim()}`)
          const text = await readIfExists(join(folder, 'env.json'))
          return text === undefined
            ? undefined
            : { ...(JSON.parse(text) as Record<string, string>), COE_SANDBOX: stateFile(world) }
        },
        {
          clock: world.clock,
          timeoutMs: 30_000,
          intervalMs: 50,
          maxIntervalMs: 200,
          signal,
          what: 'the sandbox to start',
        },
      )
      const pid = child.pid as number
      await writeRunning(world, { pid, started: (await startOf(pid)) ?? '', folder, env, like: { ...options } })
      context.note(simulation)
      return { text: exportLines(env, world.env) }
    } catch (error) {
      child.kill()
      await rm(folder, { recursive: true, force: true })
      throw error
    } finally {
      await log.close()
    }
  },
})
