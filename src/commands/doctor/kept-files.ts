/** Finds files of earlier runs that are not used because another user could have written them. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../cli/context.ts'
import { coePaths, under } from '../../config/paths.ts'
import { distrust, whyUnused } from '../../core/own-file.ts'
import { shellWord } from '../../core/shell-word.ts'
import { type Check, warn } from './check.ts'

const check = 'kept files'

/** No row if all is well, because users need not know about these files. */
export async function checkKeptFiles({ world }: Context): Promise<Check[]> {
  const { cache, state } = coePaths(world)
  const [code, names] = [under(cache, 'code'), under(cache, 'names')]
  const notes = ['federations.json', 'sandbox.json'].flatMap(name => under(state, name) ?? [])
  const found = await Promise.all([
    ...[code, names].map(folder => inFolder(folder, world.uid)),
    files(notes, world.uid),
  ])
  return found.flat()
}

async function inFolder(folder: string | undefined, uid: number | undefined): Promise<Check[]> {
  if (folder === undefined) return []
  const why = distrust(folder, uid)
  if (why)
    return [
      warn(check, `${folder} is not used: ${why}`, `rm -r ${shellWord(folder)}; coe creates it again when needed`),
    ]
  const names = await readdir(folder).catch((): string[] => [])
  return files(
    names.map(name => join(folder, name)),
    uid,
  )
}

function files(paths: readonly string[], uid: number | undefined): Check[] {
  return paths.flatMap(path => {
    const why = whyUnused(path, uid)
    if (why === undefined) return []
    const remedy = why.includes('folder') ? 'if its folder is yours, run chmod go-w on it' : `rm ${shellWord(path)}`
    return [warn(check, `${path} is not used: ${why}`, remedy)]
  })
}
