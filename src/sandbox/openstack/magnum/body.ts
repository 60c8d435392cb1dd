import type { Call } from './context.ts'
import { missingArgument, refuse, unknownArgument } from './refusals.ts'

/** The body of a request as JSON; `argument` is its name in the API's error messages. */
export async function readBody(call: Call, argument: string): Promise<unknown> {
  const text = (await call.request.body()).toString()
  const type = call.request.headers['content-type']?.split(';')[0]?.trim()
  if (text === '') throw missingArgument(argument)
  // without a type Magnum reads it as a form, whose only field then has a strange name
  if (type === undefined || type === 'application/x-www-form-urlencoded') throw unknownArgument(text)
  if (type !== 'application/json') throw refuse(415, `Unknown mimetype: ${type}`)
  try {
    return JSON.parse(text)
  } catch {
    throw refuse(400, 'Request is not in valid JSON format')
  }
}
