/** The entry that bin/coe.js calls: runs the program on the real machine. */
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
  // the only command that needs nothing else loaded
  if (host.argv.length === 1 && host.argv[0] === '--version') {
    host.streams.stdout.write(`coe ${version}\n`)
    return 0
  }
  const disabled = host.world.env.NODE_DISABLE_COMPILE_CACHE // as for Node's own cache
  const cache = disabled ? undefined : under(coePaths(host.world).cache, 'code')
  const code = openCode({ folder: cache, uid: ownUid() })
  const { main } = code.load(join(folder, 'main.cjs')) as Program
  let command = ''
  const exit = await main(host.argv, {
    ...host,
    onCommand(words) {
      command = words
    },
  })
  code.keep(command)
  return exit
}
