/**
 * /v1/stats: the number of clusters and nodes of a project, or of the complete cloud for an administrator who names
 * none.
 */
import type { Stats } from '../../model/administration.ts'
import type { Service } from '../service.ts'
import { statsShape } from './shapes.ts'

export const getStats = (service: Service, project?: string): Promise<Stats> =>
  service.json({ method: 'GET', path: '/stats', query: { project_id: project }, expects: statsShape })
