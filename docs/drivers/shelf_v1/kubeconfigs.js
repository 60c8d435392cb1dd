// Where the kubeconfigs are. Settings come in through `world`: a driver that reads process.env cannot be tested.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** @param {import('./coe.js').World} world */
export function kubeconfigs({ env, home }) {
  const folder = env.SHELF_FOLDER || (home && join(home, '.kube', 'shelf'))

  async function files() {
    const names = folder ? await readdir(folder).catch(nothingThere) : []
    return names.filter(name => name.endsWith('.yaml')).map(name => name.slice(0, -'.yaml'.length)).sort()
  }

  return {
    folder,
    files,
    /** @param {string} name */
    async fileOf(name) {
      // only names in the folder's list count, so that "../x" cannot leave the folder
      return folder && (await files()).includes(name) ? join(folder, `${name}.yaml`) : undefined
    },
  }
}

/**
 * @param {NodeJS.ErrnoException} error
 * @returns {string[]}
 */
function nothingThere(error) {
  if (error.code === 'ENOENT') return []
  throw error
}
