import type { Streams } from '../../src/io/streams.ts'

export interface MemoryStreams extends Streams {
  /** All that was written so far. */
  out(): string
  err(): string
  clear(): void
}

export interface MemoryOptions {
  /** One answer for all three, or one for each. */
  tty?: boolean | { stdin?: boolean; stdout?: boolean; stderr?: boolean }
  columns?: number
  rows?: number
  /** What will be read; lines are taken from its front. */
  input?: string | Buffer
  /** Called with all of stderr whenever something was written there. */
  onErr?: (all: string) => void
}

/** Streams that remember, for commands run within the test's own process. */
export function memoryStreams({ tty = false, columns, rows, input = '', onErr }: MemoryOptions = {}): MemoryStreams {
  const isTTY = (name: 'stdin' | 'stdout' | 'stderr') => (typeof tty === 'boolean' ? tty : (tty[name] ?? false))
  const written = { stdout: '', stderr: '' }
  let unread = input.toString()
  const sink = (name: 'stdout' | 'stderr') => ({
    write(text: string) {
      written[name] += text
      if (name === 'stderr') onErr?.(written.stderr)
    },
    isTTY: isTTY(name),
    columns: columns ?? (isTTY(name) ? 80 : undefined),
    rows,
  })
  return {
    stdin: {
      isTTY: isTTY('stdin'),
      async readAll() {
        const all = typeof input === 'string' ? Buffer.from(unread) : input
        unread = ''
        return all
      },
      async readLine() {
        if (unread === '') return undefined
        const end = unread.indexOf('\n')
        const line = end < 0 ? unread : unread.slice(0, end)
        unread = end < 0 ? '' : unread.slice(end + 1)
        return line
      },
    },
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    out: () => written.stdout,
    err: () => written.stderr,
    clear() {
      written.stdout = ''
      written.stderr = ''
    },
  }
}
