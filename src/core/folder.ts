/** Makes a folder and those above it, for their owner alone. */
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Node's own `recursive` goes round for ever where a folder is there and yet nothing can be made in it (/proc, homes that are
 * mounted when somebody logs in): the system says ENOENT for that as well. Here each is tried twice.
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
