/** Makes a folder and its parents, for their owner alone. */
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Node's own `recursive` loops for ever if a folder exists but nothing can be made in it (/proc, automounted homes),
 * because the system reports ENOENT for that too. This tries each folder at most twice.
 */
export async function makeFolder(path: string, mode = 0o700): Promise<void> {
  const make = () =>
    mkdir(path, { mode }).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || !(await isFolder(path))) throw error
    })
  await make().catch(async (error: NodeJS.ErrnoException) => {
    const above = dirname(path)
    if (error.code !== 'ENOENT' || above === path) throw error
    await makeFolder(above, mode)
    await make()
  })
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    found => found.isDirectory(),
    () => false,
  )
