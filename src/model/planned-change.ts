<<<<<<< HEAD
/** A dry run, as facts: the steps of a plan with their objects; and the flat form of it that every mode prints. */

export interface StepView {
  id: string
  title: string
  /** `host "c1"` */
  on: string
  needs: string[]
  /** What it does that is no matter of objects. */
  does: string[]
  objects: PlannedObject[]
  deletes: string[]
  gives: string[]
  /** Where it was looked for: `unchanged`, `would create`, `would change`, `known after etcd`. */
  state?: string
  /** All is so, and not ready: why. */
  waits?: string | undefined
}

export interface PlannedObject {
  /** `Deployment shop/web` */
  name: string
  object: unknown
  /** `apply`: whether it is so already was not looked at, or cannot be known yet. */
  would: 'apply' | 'create' | 'change'
}

export interface PlanView {
  plan: string
  steps: StepView[]
}

export const isUnchanged = ({ state }: StepView): boolean => state === 'unchanged'

/** One thing that a step would do. */
=======
/** One step of a dry run. */
>>>>>>> 10f2e6e (Write the comments of model in plain English)
export interface PlannedChange {
  /** `POST`, `PATCH`; `create`, `change`, `delete`; `apply` if it is not known which; `unchanged`. */
  action: string
  /** An address, or an object of a cluster. */
  target: string
  body?: unknown
  /** The step of the plan that it belongs to, if the plan has several. */
  step?: string
}
