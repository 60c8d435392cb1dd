/**
 * Servers that fail at one request after the other: the command succeeds anyway or says why not, and the next run
 * succeeds.
 */
import { it } from 'vitest'
import { failEverywhere } from './fault-matrix.ts'
import { startFederatedLane, startLane } from './lane.ts'
import { everything } from './matrix.ts'

it('joins and unjoins, whatever request fails', { timeout: everything ? 2_400_000 : 400_000 }, () =>
  failEverywhere({
    forth: 'federation join myfed c2',
    back: 'federation unjoin myfed c2',
    lane: startFederatedLane,
    each: 10,
    unlessAll: 8,
  }),
)

it('creates and deletes, whatever request fails', { timeout: everything ? 2_400_000 : 400_000 }, () =>
  failEverywhere({
    forth: 'federation create myfed --host host --expose nodeport',
    back: 'federation delete myfed --yes --ignore-not-found',
    lane: () => startLane({ members: 0 }),
    each: 2,
    unlessAll: 24,
  }),
)
