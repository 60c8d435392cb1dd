/** Checks of a context: the connection to its server, and what the server answers to the context's user. */

export interface ContextCheck {
  readonly name: string
  /** Rejects with the error in the kubeconfig. */
  connection(): Promise<ContextConnection>
  /** Starts no credential plugin that might ask the user something. */
  ask(signal: AbortSignal): Promise<ContextAnswers>
}

export interface ContextConnection {
  server: string
  /** PEM text. */
  ca: string | undefined
  serverName: string | undefined
  insecure: boolean
  proxyUrl: string | undefined
  /** What to do when no known authority signed its certificate. */
  trustHint: string
}

export interface ContextAnswers {
  version: string
  /** The Date header of the answer. */
  date: string | undefined
  /** Undefined if the server does not tell. */
  user: string | undefined
  /** Whether the cluster can be a host or a member. Undefined: the context leads to a federation. */
  may: { host: boolean; member: boolean } | undefined
}
