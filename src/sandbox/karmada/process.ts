import type { SandboxClock } from '../clock.ts'
import type { ControlPlane } from '../kube/control-plane.ts'
import type { ProcessReport } from '../kube/controllers/kubelet.ts'
import type { PodNetwork } from '../kube/network/pod-network.ts'
import type { Timings } from '../kube/timings.ts'
import type { Federations } from './federations.ts'
import type { PodView } from './pod-files.ts'

/** Something the process needs is not there yet: it goes on trying, and is not ready meanwhile. */
export class NotYet extends Error {
  /** Some give up after a while, and are started again by whoever runs them. */
  readonly patienceMs: number

  constructor(message: string, patienceMs = Number.POSITIVE_INFINITY) {
    super(message)
    this.patienceMs = patienceMs
  }
}

/** What a simulated program is given. Files and flags are read when it starts, as programs do. */
export interface ProcessContext {
  plane: ControlPlane
  network: PodNetwork
  federations: Federations
  clock: SandboxClock
  timings: Timings
  view: PodView
  uid: string
  namespace: string
  signal: AbortSignal
}

/** A program that has started: how to stop it, and whether it serves (looked at whenever the network changes). */
export interface Started {
  stop(): void
  ready?(): boolean
}

/** Throws NotYet to be tried again; any other error is its last word. */
export type Program = (context: ProcessContext) => Promise<Started>

const tryAgainMs = 100

/** Runs a program until stopped, reporting as the kubelet wants to hear. */
export function runProgram(
  program: Program,
  context: Omit<ProcessContext, 'signal'>,
  report: (state: ProcessReport) => void,
): () => void {
  const { clock, network } = context
  const ending = new AbortController()
  let started: Started | undefined
  let cancelRetry = () => {}
  let unlisten = () => {}
  let was: boolean | undefined
  const began = clock.now()
  const say = () => {
    if (!started || ending.signal.aborted) return
    const is = started.ready?.() ?? true
    if (is !== was) report({ kind: is ? 'ready' : 'unready' })
    was = is
  }
  const attempt = async () => {
    try {
      const result = await program({ ...context, signal: ending.signal })
      if (ending.signal.aborted) return result.stop()
      started = result
      unlisten = network.onChange(() => void clock.after(0, say))
      clock.after(0, say)
    } catch (error) {
      if (ending.signal.aborted) return
      if (error instanceof NotYet && clock.now() - began < error.patienceMs)
        cancelRetry = clock.after(tryAgainMs, () => void attempt())
      else report({ kind: 'died', message: (error as Error).message })
    }
  }
  void attempt()
  return () => {
    ending.abort()
    cancelRetry()
    unlisten()
    started?.stop()
  }
}
