/** Observers of requests: the log of --debug and --trace, and --timing. */
import type { CoeError } from '../core/errors.ts'
import type { Request, Response } from './transport.ts'

export type Ended = Response | CoeError

export interface Tracer {
  /** Called before a request is sent; the function that it returns is called at its end. */
  begin(method: string, url: string, request: Request): (ended: Ended) => void
}
