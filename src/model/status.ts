/** Magnum's words for where a thing stands; standalone mode derives the same ones. */

const movingStatus = /_IN_PROGRESS$/
const failedStatus = /(^|_)(FAILED|ERROR)$/
/** Heat's verbs. A deleted thing is at rest as well, but nobody can use or change it. */
const completeStatus = /^(CREATE|UPDATE|ROLLBACK|RESUME|RESTORE|SNAPSHOT|CHECK|ADOPT)_COMPLETE$/

type Status = string | null | undefined

export const hasFailed = (status: Status): boolean => failedStatus.test(status ?? '')
export const isMoving = (status: Status): boolean => movingStatus.test(status ?? '')
/** It is at rest, it works, and Magnum accepts changes of it. */
export const isComplete = (status: Status): boolean => completeStatus.test(status ?? '')
/** The last change failed, and was taken back: the thing works, but is not what was asked for. */
export const isRolledBack = (status: Status): boolean => status === 'ROLLBACK_COMPLETE'
/** What was begun last has been done. Anything else, an unknown word included, is no success. */
export const isDone = (status: Status): boolean => isComplete(status) && !isRolledBack(status)
export const isDeleted = (status: Status): boolean => status === 'DELETE_COMPLETE'
/** Null, nothing, or a word that Magnum does not have. */
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
