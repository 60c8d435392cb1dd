import type { SandboxClock } from '../clock.ts'
import type { ControlPlane } from '../kube/control-plane.ts'
import type { ProcessReport } from '../kube/controllers/kubelet.ts'
import type { PodNetwork } from '../kube/network/pod-network.ts'
import type { Timings } from '../kube/timings.ts'
import type { Federations } from './federations.ts'
import type { PodView } from './pod-files.ts'

/** A dependency of the process is not there yet: it keeps trying, and is not ready meanwhile. */
export class NotYet extends Error {
  /** How long it tries before it exits, to be restarted by the kubelet. */
  readonly patienceMs: number

  constructor(message: string, patienceMs = Number.POSITIVE_INFINITY) {
    super(message)
    this.patienceMs = patienceMs
  }
}

/** The context of a simulated program. It reads files and flags when it starts. */
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

/** A started program: how to stop it, and whether it is ready (checked whenever the network changes). */
export interface Started {
  stop(): void
  ready?(): boolean
}

/** Throws NotYet to be retried; any other error ends the program, with its message as the last line of the log. */
export type Program = (context: ProcessContext) => Promise<Started>

const retryMs = 100

/** Runs a program until stopped, and reports its state to the kubelet. */
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
  let reported: boolean | undefined
  const began = clock.now()
  const reportState = () => {
    if (!started || ending.signal.aborted) return
    const ready = started.ready?.() ?? true
    if (ready !== reported) report({ kind: ready ? 'ready' : 'unready' })
    reported = ready
  }
  const attempt = async () => {
    try {
      const result = await program({ ...context, signal: ending.signal })
      if (ending.signal.aborted) return result.stop()
      started = result
      unlisten = network.onChange(() => void clock.after(0, reportState))
      clock.after(0, reportState)
    } catch (error) {
      if (ending.signal.aborted) return
      if (error instanceof NotYet && clock.now() - began < error.patienceMs)
        cancelRetry = clock.after(retryMs, () => void attempt())
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
