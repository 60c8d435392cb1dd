/** Magnum's words for where a thing stands; standalone mode derives the same ones. */

const failedStatus = /_FAILED$/
const movingStatus = /_IN_PROGRESS$/
const settledStatus = /_COMPLETE$/

export const hasFailed = (status: string | null | undefined): boolean => failedStatus.test(status ?? '')
export const isMoving = (status: string | null | undefined): boolean => movingStatus.test(status ?? '')
export const isComplete = (status: string | null | undefined): boolean => settledStatus.test(status ?? '')

export const clusterStatuses = [
  ...['CREATE', 'UPDATE', 'DELETE', 'ROLLBACK'].flatMap(verb =>
    ['IN_PROGRESS', 'FAILED', 'COMPLETE'].map(end => `${verb}_${end}`),
  ),
  'RESUME_COMPLETE',
  'RESUME_FAILED',
  'RESTORE_COMPLETE',
  'SNAPSHOT_COMPLETE',
  'CHECK_COMPLETE',
  'ADOPT_COMPLETE',
] as const
