import { it } from 'vitest'
import { startLane } from './lane.ts'
import { dieEverywhere, everything, oneOfEachKind } from './matrix.ts'

it(
  'creates and deletes to the end, wherever a run before was killed',
  { timeout: everything ? 1_200_000 : 400_000 },
  () =>
    dieEverywhere({
      forth: 'federation create myfed --host host --expose nodeport',
      // a run that was killed on its last step may have left nothing to delete
      back: 'federation delete myfed --yes --ignore-not-found',
      lane: () => startLane({ members: 0 }),
      unlessAll: oneOfEachKind,
    }),
)
