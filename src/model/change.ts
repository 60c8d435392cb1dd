/** A change of one thing: fields that get a value, fields that lose theirs, and what neither can say. */
export interface Change<Fields> {
  /** Only what was asked for; in the order in which it was asked for. */
  set: Fields
  unset: readonly (keyof Fields)[]
  /**
   * The way out for the stock client's older dialect: lines such as `add name=x` or `replace unknown_field=1`, which say what no
   * field above can. They go on as they were written. Only a Magnum carries them out; every other backend refuses them.
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
