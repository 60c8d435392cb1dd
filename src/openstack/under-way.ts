/**
 * Errors for changes whose request was on its way when the user stopped the run. Magnum may have received the request,
 * so the error names it and the command that shows the result.
 */

import { CoeError } from '../core/errors.ts'
import { type CoeStep, nextStep, optionArgs, type StepArg } from '../core/next-step.ts'
import type { Request } from '../http/transport.ts'

interface Change {
  /** Completes "the request to …". */
  doing: string
  /** The command that shows the result. */
  inspect: CoeStep
}

export function stoppedUnderWay(request: Request, reason: CoeError): CoeError {
  const change = changeOf(request)
  if (!change) return reason
  return new CoeError(
    reason.outcome,
    `stopped while the request to ${change.doing} was on its way: Magnum may carry it out`,
    { next: [change.inspect], cause: reason, details: { under_way: change.doing } },
  )
}

const inspect = (words: string, ...args: StepArg[]): CoeStep => nextStep('see whether it did', words, ...args)

const verbs: Partial<Record<Request['method'], string>> = { PATCH: 'update', DELETE: 'delete' }
const nouns: Record<string, { noun: string; command: string }> = {
  clusters: { noun: 'cluster', command: 'cluster' },
  clustertemplates: { noun: 'cluster template', command: 'cluster template' },
  federations: { noun: 'federation', command: 'federation' },
}

/** Undefined for reads, and for certificates: a lost certificate changes nothing. */
function changeOf({ method, path, body }: Request): Change | undefined {
  if (method === 'GET' || method === 'HEAD') return undefined
  const [kind = '', ref, part, last] = path.slice(1).split('/').map(decodeURIComponent)
  const sent = typeof body === 'object' ? (body as { name?: string; project_id?: string }) : {}
  if (kind === 'quotas') {
    const project = ref ?? sent?.project_id ?? ''
    const verb = verbs[method] ?? 'create'
    return {
      doing: `${verb} the quota of project "${project}"`,
      inspect: inspect('quotas show', ...optionArgs('project-id', project)),
    }
  }
  if (kind === 'certificates' && method === 'PATCH' && ref) {
    return { doing: `rotate the CA of cluster "${ref}"`, inspect: inspect('cluster show', ref) }
  }
  if (kind === 'credentials' && ref) {
    return { doing: `rotate the credentials of cluster "${ref}"`, inspect: inspect('cluster show', ref) }
  }
  const known = nouns[kind]
  if (!known) return undefined
  const { noun, command } = known
  const name = ref ?? sent?.name
  if (name === undefined) return { doing: `create a ${noun}`, inspect: inspect(`${command} list`) }
  const show = inspect(`${command} show`, name)
  if (part === 'actions') return { doing: `${last} cluster "${name}"`, inspect: show }
  if (part === 'nodegroups') {
    const group = last ?? sent?.name
    const list = inspect('nodegroup list', name)
    if (group === undefined) return { doing: `create a node group of cluster "${name}"`, inspect: list }
    const verb = verbs[method] ?? 'create'
    return {
      doing: `${verb} node group "${group}" of cluster "${name}"`,
      inspect: inspect('nodegroup show', name, group),
    }
  }
  return { doing: `${verbs[method] ?? 'create'} ${noun} "${name}"`, inspect: show }
}
