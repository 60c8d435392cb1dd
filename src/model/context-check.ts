/** What there is to examine of a context: the way to its server, and what the server says to whom the context logs in as. */

export interface ContextCheck {
  readonly name: string
  /** Rejects with what is wrong in the kubeconfig. */
  connection(): Promise<ContextConnection>
  /** No credential plugin is started that might ask something. */
  ask(signal: AbortSignal): Promise<ContextAnswers>
}

export interface ContextConnection {
  server: string
  /** PEM text. */
  ca: string | undefined
  serverName: string | undefined
  insecure: boolean
  proxyUrl: string | undefined
  /** What to do when its certificate is of nobody who is known. */
  trustHint: string
}

export interface ContextAnswers {
  version: string
  /** As the server's answer had it. */
  date: string | undefined
  /** Undefined where the server cannot tell. */
  user: string | undefined
  /** Undefined: the context leads to a federation, which is neither. */
  may: { host: boolean; member: boolean } | undefined
}
