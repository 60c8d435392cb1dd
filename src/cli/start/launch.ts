/** What bin/coe.js calls: the program on the real machine. */
import { join } from 'node:path'
import { coePaths, under } from '../../config/paths.ts'
import { type Host, ownUid, realHost } from '../host.ts'
import { version } from '../version.ts'
import { openCode } from './code-cache.ts'

interface Program {
  main(argv: readonly string[], host: Host): Promise<number>
}

export async function run(folder: string): Promise<number> {
  const host = realHost()
  // the one question that needs nothing loaded
  if (host.argv.length === 1 && host.argv[0] === '--version') {
    host.streams.stdout.write(`coe ${version}\n`)
    return 0
  }
  const unwanted = host.world.env.NODE_DISABLE_COMPILE_CACHE // Node's own word for it
  const cache = unwanted ? undefined : under(coePaths(host.world).cache, 'code')
  const code = openCode({ folder: cache, uid: ownUid() })
  const { main } = code.load(join(folder, 'main.cjs')) as Program
  let command = ''
  const exit = await main(host.argv, {
    ...host,
    ran(words) {
      command = words
    },
  })
  code.keep(command)
  return exit
}
