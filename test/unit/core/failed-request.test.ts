import { describe, expect, it } from 'vitest'
import { CoeError, type ErrorDetails, failed } from '../../../src/core/errors.ts'
import { answerLost, mayBeDone, mayPass, neverSent, verdictOf } from '../../../src/core/failed-request.ts'

/** Details of the failure; may it be done, as what; and when is it tried again? */
const rows: [details: ErrorDetails, done: string, again: string][] = [
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

describe.each(rows)('%o', (details, done, again) => {
  const error = failed('it did not work', { details })

  it(`may be done: ${done}; tried again: ${again}`, () => {
    expect(verdictOf(details)).toEqual({ done, again })
    expect(answerLost(error)).toBe(done === 'lost')
    expect(mayBeDone(error)).toBe(done !== 'no')
    expect(mayPass(error)).toBe(again !== 'never')
  })
})

it('knows nothing of errors that no request made', () => {
  const error = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
  expect([answerLost(error), mayBeDone(error), mayPass(error)]).toEqual([false, false, false])
})

it('waits for nothing that was refused', () => {
  expect(mayPass(new CoeError('denied', 'no', { details: { status: 503 } }))).toBe(false)
})

it('knows what was never sent', () => {
  const codes = ['ECONNREFUSED', 'ENOTFOUND', 'ECONNRESET', 'CERT_HAS_EXPIRED', undefined]
  expect(codes.map(code => neverSent(code))).toEqual([true, true, false, false, false])
})
