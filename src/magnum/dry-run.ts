/** A service that asks but never changes anything: what it would send is kept, as the same code would have sent it. */
import type { Planned } from '../model/planned.ts'
import type { Call, Service } from '../openstack/service.ts'

export interface Recorder {
  service: Service
  /** What would have been sent since the last time this was asked. */
  take(): Planned[]
}

export function recorder(real: Service): Recorder {
  let kept: Planned[] = []
  const keep = (call: Call): boolean => {
    if (call.method === 'GET' || call.method === 'HEAD') return false
    const query = Object.entries(call.query ?? {}).map(([k, v]) => `${k}=${encodeURIComponent(String(v))}`)
    const target = `${real.url}${call.path}${query.length > 0 ? `?${query.join('&')}` : ''}`
    kept.push({ action: call.method, target, ...(call.body === undefined ? {} : { body: call.body }) })
    return true
  }
  return {
    service: {
      url: real.url,
      signal: real.signal,
      call: async call => (keep(call) ? { status: 202, headers: {}, text: '{}', attempts: 0 } : real.call(call)),
      json: async <T>(call: Call) => (keep(call) ? ({ uuid: '' } as T) : real.json<T>(call)),
    },
    take() {
      const taken = kept
      kept = []
      return taken
    },
  }
}
