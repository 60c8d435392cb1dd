/** /v1/stats: how many clusters and nodes a project has; an administrator who names none gets the whole cloud's. */
import type { Stats } from '../../model/administration.ts'
import type { Service } from '../service.ts'
import { statsShape } from './shapes.ts'

export const getStats = (service: Service, project?: string): Promise<Stats> =>
  service.json({ method: 'GET', path: '/stats', query: { project_id: project }, expects: statsShape })
