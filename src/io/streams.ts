/** The destinations of output. Only `io/*` writes to them; `cli/host.ts` makes the real ones, tests make recording ones. */
import { decodeUtf8 } from '../core/utf8.ts'

export interface Sink {
  write(text: string): void
  readonly isTTY: boolean
  /** Width of the terminal; undefined where there is none. */
  readonly columns: number | undefined
  /** Height of the terminal, if known. */
  readonly rows?: number | undefined
  /** The reader has closed the pipe. */
  readonly closed?: boolean
}

export interface Source {
  readonly isTTY: boolean
  /** Everything until the end of input. */
  readAll(): Promise<Buffer>
  /** One line, without echo when `hidden`; undefined at the end of input. */
  readLine(options?: { hidden?: boolean }): Promise<string | undefined>
}

export interface Streams {
  readonly stdin: Source
  readonly stdout: Sink
  readonly stderr: Sink
}

/** All input as text. */
export const readInput = async (source: Source): Promise<string> => decodeUtf8(await source.readAll(), 'standard input')
