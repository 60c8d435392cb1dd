import { type Answer, json } from '../../http.ts'
import { allow, type Call } from './context.ts'
import { onlyQuery } from './listing.ts'
import { timestamp } from './store.ts'

/** One conductor, on the sandbox's own host. */
export function listServices(call: Call): Answer {
  onlyQuery(call)
  allow(call, 'magnum-service:get_all', 'admin')
  const { clock } = call.state
  const service = {
    host: 'sandbox',
    binary: 'magnum-conductor',
    state: 'up',
    id: 1,
    report_count: 3,
    disabled: false,
    disabled_reason: null,
    created_at: timestamp(clock.now() - 180_000),
    updated_at: timestamp(clock.now() - 20_000),
  }
  return json(200, { mservices: [service] })
}
