/** The states of a federation that `wait` can wait for. */
export type FederationGoal =
  /** Its API answers, and its components are ready. */
  | { kind: 'ready' }
  | { kind: 'gone' }
  /** This cluster is a member, and the federation can use it. */
  | { kind: 'member'; cluster: string }

/** Completes `federation "f" …`. */
export const goalText = (goal: FederationGoal): string =>
  goal.kind === 'member' ? `to have the member "${goal.cluster}" ready` : `to be ${goal.kind}`

/** The progress line once the goal is reached. */
export const reachedText = (goal: FederationGoal): string =>
  goal.kind === 'member' ? `member "${goal.cluster}" is ready` : goal.kind
