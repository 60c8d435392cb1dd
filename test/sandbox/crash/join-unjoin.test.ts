import { it } from 'vitest'
import { startFederatedLane } from './lane.ts'
import { dieEverywhere, everything, oneOfEachKind } from './matrix.ts'

it(
  'joins and unjoins to the end, wherever a run before was killed',
  { timeout: everything ? 1_200_000 : 400_000 },
  () =>
    dieEverywhere({
      forth: 'federation join myfed c2',
      back: 'federation unjoin myfed c2',
      lane: startFederatedLane,
      unlessAll: oneOfEachKind,
    }),
)
