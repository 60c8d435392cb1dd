/** Does Magnum answer, as what, and may we use it? */
import { nextStep } from '../../core/next-step.ts'
import type { Response } from '../../http/transport.ts'
import { versionRange } from '../../openstack/magnum-api/versions.ts'
import type { CloudSession } from '../../openstack/session.ts'
import { checked, fail, ok, warn, within } from './check.ts'
import type { Answered } from './keystone.ts'

/** Node groups came with it; older servers lack half of what people expect. */
const wanted = '1.9'

export async function checkMagnum(session: CloudSession, signal: AbortSignal): Promise<Answered> {
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
        'is the address in the catalog, or the override, right?',
      )
    }
    const found = `Magnum API ${min} to ${max}, and its clusters may be listed`
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
