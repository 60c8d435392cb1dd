/** What every change of state takes. */

import { duration, flag } from '../parse/values.ts'
import { type OptionSpec, ValueProblem } from '../spec.ts'

const group = 'Wait'

/** By itself for changes that are always looked at. */
export const waitTimeoutOption = duration('wait-timeout', 'give up waiting after this long (exit 7)', {
  group,
  fallback: '60m',
  env: 'COE_WAIT_TIMEOUT',
})

/** For changes that one mode looks at to their end unless told otherwise. */
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

/** For a search, and for looks at many clusters: not for what is done then. */
export const queryTimeoutOption: OptionSpec<number | undefined> = {
  ...queryTimeout,
  parse(given) {
    const ms = queryTimeout.parse(given)
    if (ms === 0) throw new ValueProblem('nobody answers within no time at all; give a duration such as 20s')
    return ms
  },
}
