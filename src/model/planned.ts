/** One step of a dry run: what would be done, told by whoever would do it. */
export interface Planned {
  /** `POST`, `PATCH`; `apply`, `delete`. */
  action: string
  /** An address, or an object of a cluster. */
  target: string
  body?: unknown
}
