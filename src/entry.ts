/** What bin/coe.js calls: the program on the real machine. */
import { realHost } from './cli/host.ts'
import { main } from './main.ts'

export async function run(): Promise<number> {
  const host = realHost()
  return main(host.argv, host)
}
