/** A service that asks but never changes anything: what it would send is kept, as the same code would have sent it. */
import type { PlannedChange } from '../model/planned-change.ts'
import type { Service, ServiceRequest } from '../openstack/service.ts'

export interface Recorder {
  service: Service
  /** What would have been sent since the last time this was asked. */
  take(): PlannedChange[]
}

export function recorder(real: Service): Recorder {
  let kept: PlannedChange[] = []
  const keep = (request: ServiceRequest): boolean => {
    if (request.method === 'GET' || request.method === 'HEAD') return false
    const query = Object.entries(request.query ?? {}).map(([k, v]) => `${k}=${encodeURIComponent(String(v))}`)
    const target = `${real.url}${request.path}${query.length > 0 ? `?${query.join('&')}` : ''}`
    kept.push({ action: request.method, target, ...(request.body === undefined ? {} : { body: request.body }) })
    return true
  }
  return {
    service: {
      url: real.url,
      signal: real.signal,
      call: async request =>
        keep(request) ? { status: 202, headers: {}, text: '{}', attempts: 0 } : real.call(request),
      json: async <T>(request: ServiceRequest) => (keep(request) ? ({ uuid: '' } as T) : real.json<T>(request)),
    },
    take() {
      const taken = kept
      kept = []
      return taken
    },
  }
}
