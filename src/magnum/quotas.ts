/** Quotas: how much of a resource a project may use. */

import { conflict, failed, hasOutcome, notFound, usage } from '../core/errors.ts'
import { answerLost } from '../core/failed-request.ts'
import { type Advice, nextStep, optionArgs, type StepArg } from '../core/next-step.ts'
import type { Quotas } from '../model/administration.ts'
import type { Call } from '../model/call.ts'
import * as api from '../openstack/magnum-api/quotas.ts'
import type { MagnumContext } from './magnum-context.ts'

export function magnumQuotas(context: MagnumContext): Quotas {
  const magnum = (call: Call) => context.session.magnum(call.signal)

  /** The project named by the user, else that of the token. */
  async function projectOf(call: Call, named: string | undefined): Promise<string> {
    if (named !== undefined) return named
    const { project } = await context.session.identity({ signal: call.signal })
    if (project) return project.id
    throw usage('a project is needed: this token has none', { hint: 'name one with --project-id' })
  }

  return {
    list: async (call, { allTenants = false, ...page }) => api.listQuotas(await magnum(call), page, allTenants),
    get: async (call, project, resource) => api.getQuota(await magnum(call), await projectOf(call, project), resource),
    async create(call, project, resource, hardLimit) {
      const body = { project_id: await projectOf(call, project), resource, hard_limit: hardLimit }
      try {
        return await api.createQuota(await magnum(call), body)
      } catch (error) {
        // a project has one quota for each resource, so a quota with this limit is the requested one
        if (!answerLost(error)) throw exists(error, body)
        const now = await api.getQuota(await magnum(call), body.project_id, resource)
        if (now.id !== undefined && now.hard_limit === hardLimit) return now
        throw failed('the answer to the request was lost, and the quota was not created', {
          hint: 'it is safe to run this again',
          cause: error,
        })
      }
    },
    async update(call, project, resource, hardLimit) {
      const body = { project_id: await projectOf(call, project), resource, hard_limit: hardLimit }
      try {
        return await api.updateQuota(await magnum(call), body)
      } catch (error) {
        throw missing(error, body, {
          next: [nextStep('make it', 'quotas create', ...ofProject(body, String(hardLimit)))],
        })
      }
    },
    async delete(call, project, resource) {
      const project_id = await projectOf(call, project)
      try {
        await api.deleteQuota(await magnum(call), project_id, resource)
      } catch (error) {
        throw missing(error, { project_id, resource }, { hint: "the cloud's default applies already" })
      }
      return project_id
    },
  }
}

interface QuotaKey {
  project_id: string
  resource: string
}

function missing(error: unknown, { project_id, resource }: QuotaKey, advice: Advice): unknown {
  if (!hasOutcome(error, 'notFound')) return error
  return notFound(`project ${project_id} has no quota of its own for ${resource}`, {
    ...advice,
    cause: error,
    details: error.details,
  })
}

const ofProject = ({ project_id }: QuotaKey, limit: string): StepArg[] => [
  ...optionArgs('project-id', project_id),
  ...optionArgs('hard-limit', limit),
]

function exists(error: unknown, { project_id, resource }: QuotaKey): unknown {
  if (!hasOutcome(error, 'conflict')) return error
  return conflict(`project ${project_id} already has a quota for ${resource}`, {
    next: [nextStep('change it', 'quotas update', ...ofProject({ project_id, resource }, 'N'))],
    cause: error,
    details: error.details,
  })
}
