/** What every change of state takes. */
import { duration, flag } from './values.ts'

const group = 'Wait'

export const waitOptions = {
  wait: flag('wait', 'look until it is done, and fail if it fails', { group }),
  waitTimeout: duration('wait-timeout', 'give up waiting after this long (exit 7)', {
    group,
    fallback: '60m',
    env: 'COE_WAIT_TIMEOUT',
  }),
}
