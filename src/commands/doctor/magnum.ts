/** Checks that Magnum answers, which API versions it has, and whether the user may use it. */
import { nextStep } from '../../core/next-step.ts'
import type { Response } from '../../http/transport.ts'
import { versionRange } from '../../openstack/magnum-api/versions.ts'
import type { CloudSession } from '../../openstack/session.ts'
import { checked, fail, ok, warn, within } from './check.ts'
import type { CheckedResponse } from './keystone.ts'

/** The first version with node groups; older servers lack many features. */
const wanted = '1.9'

export async function checkMagnum(session: CloudSession, signal: AbortSignal): Promise<CheckedResponse> {
  const name = 'magnum api'
  let answered: Response | undefined
  const check = await checked(name, async () => {
    const service = await session.magnum()
    answered = await within(15_000, signal, inner =>
      service.call({
        method: 'GET',
        path: '/clusters',
        query: { limit: 1 },
        accept: [404],
        signal: inner,
        timeoutMs: 15_000,
      }),
    )
    const { min, max } = versionRange(answered)
    if (!max || !isList(answered.text)) {
      return fail(
        name,
        `${service.url} answers, but not as Magnum`,
        'check the address in the catalog, or the override',
      )
    }
    const found = `Magnum API ${min} to ${max}; its clusters can be listed`
    if (minor(max) >= minor(wanted)) return ok(name, found)
    return warn(name, found, `an older server: node groups need ${wanted}`, [
      nextStep('see what each command needs', 'help'),
    ])
  })
  return { check, ...(answered ? { response: answered } : {}) }
}

const minor = (version: string): number => Number(version.split('.')[1])

function isList(text: string): boolean {
  try {
    return Array.isArray((JSON.parse(text) as { clusters?: unknown }).clusters)
  } catch {
    return false
  }
}
