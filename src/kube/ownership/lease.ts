/**
 * The lock of a federation: a Lease that its holder renews. Other runs wait until it is released or no longer renewed. They
 * do not wait for a process of this machine that has ended.
 */
import { randomBytes } from 'node:crypto'
import { type CoeError, conflict } from '../../core/errors.ts'
import { formatDuration } from '../../core/time.ts'
import type { Machine } from '../../core/world.ts'
import type { ClusterApi } from '../api/cluster-api.ts'
import { alreadyExists, isConflict, isNotFound } from '../api/errors.ts'
import type { KubeObject } from '../api/object.ts'
import { hold } from './lease-hold.ts'
import { type Holder, holderOf, isDead, leaseObject, leaseRef, quietMs, whoText } from './lease-object.ts'

export interface LockOptions {
  world: Machine
  api: ClusterApi
  namespace: string
  name: string
  /** Completes "… is being changed by": `federation "myfed"`. */
  what: string
  /** What this run does: `join c2`. Shown to runs that wait. */
  doing: string
  labels: Readonly<Record<string, string>>
  /** How long to wait for the lock of another run. */
  patienceMs: number
  signal: AbortSignal
  note(text: string): void
  /** Shorter in tests. */
  leaseMs?: number
}

export interface Lock {
  /** Written into each record that changes under this lock. */
  readonly runId: string
  /**
   * Aborts when the lock is lost or in doubt: everything that changes something must stop then. It also aborts with the
   * operation's own signal. After `confirm` there is a new one.
   */
  readonly signal: AbortSignal
  /** False if it is lost or in doubt. */
  isHeld(): boolean
  /**
   * Resolves once the server has confirmed that the lock is ours. `waited` says whether it had to wait for the server. Rejects if
   * another run has the lock, or with the server's last failure when the time is up.
   */
  confirm(limitMs: number): Promise<{ waited: boolean }>
  /** The namespace is about to be deleted, and the lease with it: that does not count as losing the lock. */
  endsWithItsNamespace(): void
  release(): Promise<void>
}

const defaultLeaseMs = 15_000
/** So many lease lengths are more than clocks differ by: yesterday's dead run is not waited for. */
const longAgo = 20

export async function takeLock(options: LockOptions): Promise<Lock> {
  const { world } = options
  const leaseMs = options.leaseMs ?? defaultLeaseMs
  const me: Holder = {
    run: randomBytes(6).toString('hex'),
    machine: world.hostname,
    pid: world.pid,
    doing: options.doing,
  }
  const lease = await acquire(options, me, leaseMs)
  return hold(options, lease, me, leaseMs)
}

async function acquire(options: LockOptions, me: Holder, leaseMs: number): Promise<KubeObject> {
  const { api, world, signal, what } = options
  const { clock } = world
  const started = clock.now()
  // other machines have other clocks: a lease is stale if its version did not change for `leaseMs` of our own clock
  let observed: { version: string | undefined; at: number } | undefined
  let reportedRun: string | undefined
  for (;;) {
    const ours = leaseObject(options, me, leaseMs, clock.now())
    try {
      return await api.create(ours, { signal })
    } catch (error) {
      if (!alreadyExists(error)) throw error
    }
    const live = await api.get(leaseRef(options), { signal })
    if (!live) continue // released between the two requests
    const holder = holderOf(live)
    const version = live.metadata.resourceVersion
    if (observed?.version !== version) observed = { version, at: clock.now() }
    const stale = clock.now() - (observed?.at ?? 0) >= leaseMs || quietMs(live, clock.now()) > longAgo * leaseMs
    if (!holder || stale || isDead(holder, world)) {
      const taken = await takeOver(options, live, ours)
      if (taken) {
        if (holder) options.note(`${what}: took over from ${whoText(holder)}, which ended without finishing`)
        return taken
      }
      continue
    }
    const waited = clock.now() - started
    if (waited >= options.patienceMs) throw heldBy(what, holder, waited)
    if (reportedRun !== holder.run) {
      reportedRun = holder.run
      options.note(`${what} is being changed by ${whoText(holder)}; waiting for it to end`)
    }
    await clock.sleep(Math.min(1_000, leaseMs / 4, options.patienceMs - waited), signal)
  }
}

/** The holder whose lease is alive. For commands that only read. */
export async function currentHolder(
  options: Pick<LockOptions, 'api' | 'world' | 'namespace' | 'name'> & { signal?: AbortSignal },
): Promise<Holder | undefined> {
  const { api, world, namespace, name, signal } = options
  const live = await api.get(leaseRef({ namespace, name }), { signal })
  const holder = live && holderOf(live)
  if (!live || !holder || isDead(holder, world)) return undefined
  // clocks differ by seconds: rather report a run that has ended than miss one in progress
  return quietMs(live, world.clock.now()) > 2 * defaultLeaseMs ? undefined : holder
}

async function takeOver(options: LockOptions, live: KubeObject, ours: KubeObject): Promise<KubeObject | undefined> {
  const { resourceVersion } = live.metadata
  try {
    const next = { ...ours, metadata: { ...ours.metadata, ...(resourceVersion ? { resourceVersion } : {}) } }
    return await options.api.update(next, { signal: options.signal })
  } catch (error) {
    if (isConflict(error) || isNotFound(error)) return undefined // another run was faster: read it again
    throw error
  }
}

const heldBy = (what: string, holder: Holder, waited: number): CoeError =>
  conflict(
    `${what} is being changed by ${whoText(holder)}${waited > 1_000 ? ` (waited ${formatDuration(waited)})` : ''}`,
    {
      hint: 'run this again when it has ended; the lock of a run that died is taken over within 15 s',
      details: { holder },
    },
  )
