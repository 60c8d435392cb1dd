/** The statuses and headers of answers, which coe's functions do not return. */
import { CoeError } from '../../../src/core/errors.ts'
import type { Tracer } from '../../../src/http/trace.ts'
import type { Request, Response } from '../../../src/http/transport.ts'

export interface Exchange {
  method: string
  url: string
  request: Request
  answer: Response
}

export interface Exchanges {
  /** All answers, oldest first. */
  seen: Exchange[]
  /** The newest answer. */
  last(): Response
}

export function exchangeTracer(): Exchanges & { tracer: Tracer } {
  const seen: Exchange[] = []
  return {
    seen,
    last() {
      const exchange = seen.at(-1)
      if (!exchange) throw new Error('nothing has been answered yet')
      return exchange.answer
    },
    tracer: {
      begin: (method, url, request) => answer => {
        if (!(answer instanceof CoeError)) seen.push({ method, url, request, answer })
      },
    },
  }
}

/** The refusal of a request: the status, and the complete reason in coe's error. */
export async function refusal(request: Promise<unknown>): Promise<[status: number | undefined, reason: unknown]> {
  const error = await refusalError(request)
  return [error.details.status, error.details.reason]
}

export async function refusalError(request: Promise<unknown>): Promise<CoeError> {
  const answer = await request.then(
    value => value,
    (error: unknown) => error,
  )
  if (answer instanceof CoeError) return answer
  if (answer instanceof Error) throw answer
  throw new Error(`this should have been refused, and was answered with ${JSON.stringify(answer)}`)
}
