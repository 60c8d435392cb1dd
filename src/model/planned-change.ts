/** The result of a dry run as data: the steps of a plan with their objects, and the flat form that both modes print. */

export interface StepView {
  id: string
  title: string
  /** `host "c1"` */
  on: string
  needs: string[]
  /** What it does besides writing objects. */
  does: string[]
  objects: PlannedObject[]
  deletes: string[]
  gives: string[]
  /** The result of a comparison, if there was one: `unchanged`, `would create`, `would change`, `known after etcd`. */
  state?: string
  /** Why it is not ready although nothing has to change. */
  waits?: string | undefined
}

export interface PlannedObject {
  /** `Deployment shop/web` */
  name: string
  object: unknown
  /** `apply`: not compared with the present state, or not known yet. */
  would: 'apply' | 'create' | 'change'
}

export interface PlanView {
  plan: string
  steps: StepView[]
}

export const isUnchanged = ({ state }: StepView): boolean => state === 'unchanged'

/** One change that a step would make. */
export interface PlannedChange {
  /** `POST`, `PATCH`; `create`, `change`, `delete`; `apply` if it is not known which; `unchanged`. */
  action: string
  /** An address, or an object of a cluster. */
  target: string
  body?: unknown
  /** The step of the plan that it belongs to, if the plan has several. */
  step?: string
}
