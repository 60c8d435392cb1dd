/** Who wants to know about requests: the log of --debug and --trace, and --timing. */
import type { CoeError } from '../core/errors.ts'
import type { Request, Response } from './transport.ts'

export type Ended = Response | CoeError

export interface Tracer {
  /** Called before a request goes out; what it returns is called when it ended. */
  begin(method: string, url: string, request: Request): (ended: Ended) => void
}
