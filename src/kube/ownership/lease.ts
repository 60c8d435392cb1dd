/**
 * The lock of a federation: a Lease that its holder renews. Who finds another's lease waits until it is given back or
 * not renewed any more; a process that died on this machine is not waited for.
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
  /** What this run does: `join c2`. Shown to whoever waits. */
  doing: string
  labels: Readonly<Record<string, string>>
  /** How long another's lock is waited for. */
  patienceMs: number
  signal: AbortSignal
  note(text: string): void
  /** Shorter in tests. */
  leaseMs?: number
}

export interface Lock {
  /** In each record that is written under this lock. */
  readonly runId: string
  /**
   * Aborts when nobody knows any more whether the lock is ours, or when it is lost: whatever changes something must stop then.
   * Also when the operation's own signal does. After `confirm` there is a new one.
   */
  readonly signal: AbortSignal
  /** False: it is lost, or nobody knows. */
  isHeld(): boolean
  /**
   * Resolves once the server has said that the lock is ours, and tells whether that took a wait for the server. Rejects where somebody
   * else has the lock, or with the server's last failure when the time is up.
   */
  confirm(limitMs: number): Promise<{ waited: boolean }>
  /** Its namespace is about to be deleted, and the lease with it: that is no loss. */
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
  // other machines have other clocks: a lease is stale when we have not seen it move for its length
  let seen: { version: string | undefined; at: number } | undefined
  let told: string | undefined
  for (;;) {
    const fresh = leaseObject(options, me, leaseMs, clock.now())
    try {
      return await api.create(fresh, { signal })
    } catch (error) {
      if (!alreadyExists(error)) throw error
    }
    const live = await api.get(leaseRef(options), { signal })
    if (!live) continue // given back between the two
    const holder = holderOf(live)
    const version = live.metadata.resourceVersion
    if (seen?.version !== version) seen = { version, at: clock.now() }
    const stale = clock.now() - (seen?.at ?? 0) >= leaseMs || quietMs(live, clock.now()) > longAgo * leaseMs
    if (!holder || stale || isDead(holder, world)) {
      const taken = await takeOver(options, live, fresh)
      if (taken) {
        if (holder) options.note(`${what}: took over from ${whoText(holder)}, which ended without finishing`)
        return taken
      }
      continue
    }
    const waited = clock.now() - started
    if (waited >= options.patienceMs) throw heldBy(what, holder, waited)
    if (told !== holder.run) {
      told = holder.run
      options.note(`${what} is being changed by ${whoText(holder)}; waiting for it to end`)
    }
    await clock.sleep(Math.min(1_000, leaseMs / 4, options.patienceMs - waited), signal)
  }
}

/** Who works on it now: somebody whose lease is alive. For those that only look. */
export async function currentHolder(
  options: Pick<LockOptions, 'api' | 'world' | 'namespace' | 'name'> & { signal?: AbortSignal },
): Promise<Holder | undefined> {
  const { api, world, namespace, name, signal } = options
  const live = await api.get(leaseRef({ namespace, name }), { signal })
  const holder = live && holderOf(live)
  if (!live || !holder || isDead(holder, world)) return undefined
  // clocks differ by seconds: better a run too many in progress than one too few
  return quietMs(live, world.clock.now()) > 2 * defaultLeaseMs ? undefined : holder
}

async function takeOver(options: LockOptions, live: KubeObject, fresh: KubeObject): Promise<KubeObject | undefined> {
  const { resourceVersion } = live.metadata
  try {
    const next = { ...fresh, metadata: { ...fresh.metadata, ...(resourceVersion ? { resourceVersion } : {}) } }
    return await options.api.update(next, { signal: options.signal })
  } catch (error) {
    if (isConflict(error) || isNotFound(error)) return undefined // somebody was faster: look again
    throw error
  }
}

const heldBy = (what: string, holder: Holder, waited: number): CoeError =>
  conflict(
    `${what} is being changed by ${whoText(holder)}${waited > 1_000 ? ` (waited ${formatDuration(waited)})` : ''}`,
    {
      hint: 'run this again when it has ended; a run that died is taken over within 15 s',
      details: { holder },
    },
  )
