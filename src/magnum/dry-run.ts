/** A service that reads but changes nothing: it records the requests that the same code would send. */
import type { PlannedChange } from '../model/planned-change.ts'
import type { Service, ServiceRequest } from '../openstack/service.ts'

export interface Recorder {
  service: Service
  /** The requests recorded since the last call. */
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
