import { it } from 'vitest'
import { startLane } from './lane.ts'
import { dieEverywhere, everything, oneOfEachKind } from './matrix.ts'

it('joins and unjoins to the end, wherever a run before was killed', { timeout: everything ? 300_000 : 180_000 }, () =>
  dieEverywhere({
    forth: 'federation join myfed c2',
    back: 'federation unjoin myfed c2',
    async lane() {
      const lane = await startLane({ members: 1 })
      await lane.run('federation create myfed --host host --expose nodeport')
      return lane
    },
    unlessAll: oneOfEachKind,
  }),
)
