/** `--project`: clusters have only the id of their project, and users know its name. */
import { asksKeystone } from '../config/clouds/login-kinds.ts'
import { CoeError, conflict, notFound, usage } from '../core/errors.ts'
import type { Call } from '../model/call.ts'
import type { MagnumContext } from './magnum-context.ts'

/** Keystone's ids: hex digits, with dashes from older releases. */
const isId = (ref: string): boolean => /^[0-9a-f]{32}$|^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(ref)

const byId = 'name the project by its id: --project ID'

export async function projectId({ session }: MagnumContext, call: Call, ref: string): Promise<string> {
  if (isId(ref)) return ref
  if (!asksKeystone(session.authType)) {
    throw usage(`auth type ${session.authType} uses no Keystone that could look up project "${ref}"`, { hint: byId })
  }
  const { project } = await session.identity({ signal: call.signal })
  if (project && (ref === project.id || ref === project.name)) return project.id
  const found = await session.projectsNamed(ref, call.signal).catch((error: unknown) => {
    if (!(error instanceof CoeError) || error.outcome !== 'denied') throw error
    throw new CoeError('denied', `you are not allowed to look up project "${ref}": ${error.message}`, {
      hint: byId,
      cause: error,
      details: error.details,
    })
  })
  const [only] = found
  if (!only) {
    const own = project ? `; the token is for ${project.name}` : ''
    throw notFound(`there is no project "${ref}" in cloud "${session.cloud.name}"${own}`, {
      hint: '"openstack project list" has their names and ids',
    })
  }
  if (found.length === 1) return only.id
  throw conflict(`"${ref}" is the name of ${found.length} projects in cloud "${session.cloud.name}"`, {
    hint: `name the project by its id: ${found.map(p => `${p.id} (domain ${p.domain_id ?? '?'})`).join(', ')}`,
    details: { candidates: found.map(p => p.id) },
  })
}
