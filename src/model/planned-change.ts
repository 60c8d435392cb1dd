/** One step of a dry run: what would be done, told by whoever would do it. */
export interface PlannedChange {
  /** `POST`, `PATCH`; `create`, `change`, `delete`; `apply` where it is not known which; `unchanged`. */
  action: string
  /** An address, or an object of a cluster. */
  target: string
  body?: unknown
  /** Of a plan that has several: which of them it belongs to. */
  step?: string
}
