/** Magnum's status words; standalone mode derives the same ones. */

const movingStatus = /_IN_PROGRESS$/
const failedStatus = /(^|_)(FAILED|ERROR)$/
/** Heat's verbs. DELETE_COMPLETE is left out: a deleted object cannot be used or changed. */
const completeStatus = /^(CREATE|UPDATE|ROLLBACK|RESUME|RESTORE|SNAPSHOT|CHECK|ADOPT)_COMPLETE$/

type Status = string | null | undefined

export const hasFailed = (status: Status): boolean => failedStatus.test(status ?? '')
export const isMoving = (status: Status): boolean => movingStatus.test(status ?? '')
/** It works, no change is in progress, and Magnum accepts changes. */
export const isComplete = (status: Status): boolean => completeStatus.test(status ?? '')
/** The last change failed and was rolled back: the object works, but lacks the requested change. */
export const isRolledBack = (status: Status): boolean => status === 'ROLLBACK_COMPLETE'
/** The last change succeeded. An unknown status is not a success. */
export const isDone = (status: Status): boolean => isComplete(status) && !isRolledBack(status)
export const isDeleted = (status: Status): boolean => status === 'DELETE_COMPLETE'
/** Null, empty, or not a status of Magnum. */
export const isUnknown = (status: Status): boolean =>
  !isMoving(status) && !hasFailed(status) && !isComplete(status) && !isDeleted(status)

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
