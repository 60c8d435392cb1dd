/** Options of all commands that change something. */

import { duration, flag } from '../parse/values.ts'
import { type OptionSpec, ValueProblem } from '../spec.ts'

const group = 'Wait'

/** Without --wait, for commands that always wait. */
export const waitTimeoutOption = duration('wait-timeout', 'give up waiting after this long (exit 7)', {
  group,
  fallback: '60m',
  env: 'COE_WAIT_TIMEOUT',
})

/** For commands that wait by default in one mode. */
export const noWaitOption = flag('no-wait', 'do what can be done at once, and leave the rest to the next run', {
  group,
})

export const waitOptions = {
  wait: flag('wait', 'wait until it is done, and fail if it fails', { group }),
  waitTimeout: waitTimeoutOption,
}

const queryTimeout = duration('timeout', 'how long each queried cluster may take to answer', {
  mode: 'standalone',
  fallback: '10s',
})

/** Limits searches and checks of many clusters, but not the work that follows. */
export const queryTimeoutOption: OptionSpec<number | undefined> = {
  ...queryTimeout,
  parse(given) {
    const ms = queryTimeout.parse(given)
    if (ms === 0) throw new ValueProblem('no cluster can answer in 0 seconds; use a duration such as 20s')
    return ms
  },
}
