/** A change of one thing: fields that get a value, fields that lose theirs, single labels, and what none of these can say. */
export interface Change<Fields> {
  /** Only what was asked for, in the order in which it was asked for. */
  set: Fields
  unset: readonly (keyof Fields)[]
  labels: LabelChange
  /**
   * The escape for the stock client's older dialect: lines such as `add name=x` or `replace unknown_field=1`, which say what no
   * field above can. All of such a line goes on as it was written. Only a Magnum carries it out; any other backend refuses it.
   */
  patch: readonly PatchOperation[]
}

/** Single labels, whatever the others are. */
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
