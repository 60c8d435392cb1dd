/** A change of one object: fields to set, fields to unset, single labels, and a patch for anything else. */
export interface Change<Fields> {
  /** Only the fields that the user named, in that order. */
  set: Fields
  unset: readonly (keyof Fields)[]
  labels: LabelChange
  /**
   * For the stock client's older dialect: operations such as `add name=x` or `replace unknown_field=1`, which no field above can
   * express. They are sent as written. Only Magnum applies them; other backends refuse them.
   */
  patch: readonly PatchOperation[]
}

/** Single labels; all others keep their values. */
export interface LabelChange {
  set: Record<string, string>
  unset: readonly string[]
}

/** One operation of Magnum's JSON patch, by a path such as `node_count` or `labels/foo`. */
export interface PatchOperation {
  op: 'add' | 'replace' | 'remove'
  path: string
  value?: string | number | boolean
}
