/** What somebody waits for who waits for a federation. */
export type FederationGoal =
  /** It can be used: its API answers, and what it runs on is ready. */
  | { kind: 'ready' }
  | { kind: 'gone' }
  /** This cluster is a member, and the federation can use it. */
  | { kind: 'member'; cluster: string }

/** Completes `federation "f" …`. */
export const goalText = (goal: FederationGoal): string =>
  goal.kind === 'member' ? `to have the member "${goal.cluster}" ready` : `to be ${goal.kind}`

/** What is so at the end. */
export const reachedText = (goal: FederationGoal): string =>
  goal.kind === 'member' ? `member "${goal.cluster}" is ready` : goal.kind
