import { describe, expect, it } from 'vitest'
import { CoeError, type ErrorDetails, failed } from '../../../src/core/errors.ts'
import { answerLost, isTransient, mayBeDone, neverSent, verdictOf } from '../../../src/core/failed-request.ts'

/** The details of a failure, whether the request may have been processed, and when it is retried. */
const rows: [details: ErrorDetails, done: string, retry: string][] = [
  [{ code: 'ECONNREFUSED' }, 'no', 'at once'],
  [{ code: 'EAI_AGAIN' }, 'no', 'at once'],
  [{ code: 'EHOSTUNREACH' }, 'no', 'later'],
  [{ code: 'ENETUNREACH' }, 'no', 'later'],
  [{ code: 'ENOTFOUND' }, 'no', 'never'],
  [{ code: 'CERT_HAS_EXPIRED' }, 'no', 'never'],
  [{ code: 'ECONNRESET' }, 'lost', 'at once'],
  [{ code: 'EPIPE' }, 'lost', 'at once'],
  [{ code: 'ECONNABORTED' }, 'lost', 'later'],
  [{ code: 'ETIMEDOUT' }, 'lost', 'later'],
  [{ code: 'ERR_READING_RESPONSE_STREAM' }, 'lost', 'later'],
  [{ code: 'ERR_BODY_PARSE_FAILURE' }, 'lost', 'never'],
  [{ code: 'HPE_INVALID_CONSTANT' }, 'lost', 'never'],
  [{}, 'no', 'never'],
  [{ status: 200 }, 'lost', 'never'],
  [{ status: 302 }, 'no', 'never'],
  [{ status: 404 }, 'no', 'never'],
  [{ status: 409 }, 'no', 'never'],
  [{ status: 429 }, 'no', 'at once'],
  [{ status: 500 }, 'perhaps', 'later'],
  [{ status: 501 }, 'no', 'later'],
  [{ status: 502 }, 'lost', 'at once'],
  [{ status: 503 }, 'no', 'at once'],
  [{ status: 504 }, 'lost', 'at once'],
  [{ code: 'EPROXY', status: 502 }, 'no', 'at once'],
  [{ code: 'EPROXY', status: 500 }, 'no', 'later'],
  [{ code: 'EPROXY', status: 403 }, 'no', 'never'],
]

describe.each(rows)('%o', (details, done, retry) => {
  const error = failed('it did not work', { details })

  it(`processed: ${done}; retried: ${retry}`, () => {
    expect(verdictOf(details)).toEqual({ done, retry })
    expect(answerLost(error)).toBe(done === 'lost')
    expect(mayBeDone(error)).toBe(done !== 'no')
    expect(isTransient(error)).toBe(retry !== 'never')
  })
})

it('ignores errors that no request made', () => {
  const error = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
  expect([answerLost(error), mayBeDone(error), isTransient(error)]).toEqual([false, false, false])
})

it('does not treat a refusal as temporary', () => {
  expect(isTransient(new CoeError('denied', 'no', { details: { status: 503 } }))).toBe(false)
})

it('recognises requests that were never sent', () => {
  const codes = ['ECONNREFUSED', 'ENOTFOUND', 'ECONNRESET', 'CERT_HAS_EXPIRED', undefined]
  expect(codes.map(code => neverSent(code))).toEqual([true, true, false, false, false])
})
