/** Whatever was killed is finished by somebody else, on another machine, without the line that began it. */
import { expect, it } from 'vitest'
import { otherMachine } from '../../support/other-machine.ts'
import { type Lane, startFederatedLane, startLane } from './lane.ts'
import { dieEverywhere, everything, oneOfEachKind } from './matrix.ts'

const timeout = everything ? 1_200_000 : 400_000
/** Contexts are on each machine for itself. */
const about = (key: string) => !/^(kubeconfig|file) /.test(key)

/** A run that was killed before it had begun left nothing to finish: then its line is run. */
async function goOn(lane: Lane, line: string): Promise<void> {
  const machine = await otherMachine(lane.lab, { host: 'h', c2: 'staging' })
  const { code, out, err } = await machine.run('federation resume myfed --host h --yes', { isRunning: () => false })
  const nothing = out.includes('no unfinished change') || code === 3
  if (nothing) await lane.run(line)
  else expect(code, `resume of "${line}"\n${out}${err}`).toBe(0)
}

it('a create with its member, and a delete with it', { timeout }, () =>
  dieEverywhere({
    forth: 'federation create myfed --host host --expose nodeport --join',
    back: 'federation delete myfed --unjoin --yes --ignore-not-found',
    lane: () => startLane({ members: 0 }),
    unlessAll: oneOfEachKind,
    goOn,
    about,
  }),
)

it('a join, and an unjoin', { timeout }, () =>
  dieEverywhere({
    forth: 'federation join myfed c2',
    back: 'federation unjoin myfed c2',
    lane: startFederatedLane,
    unlessAll: oneOfEachKind,
    goOn,
    about,
  }),
)
