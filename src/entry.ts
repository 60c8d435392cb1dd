/** What bin/coe.js calls: the program on the real machine. */
import { realHost } from './cli/host.ts'
import { version } from './cli/version.ts'

export async function run(): Promise<number> {
  const host = realHost()
  // the one question that needs nothing loaded
  if (host.argv.length === 1 && host.argv[0] === '--version') {
    host.streams.stdout.write(`coe ${version}\n`)
    return 0
  }
  const { main } = await import('./main.ts')
  return main(host.argv, host)
}
