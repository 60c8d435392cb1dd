/** Lines for `eval` in the syntax of the user's shell, as the openstack client prints them. */
import { shellWord } from '../../core/shell-word.ts'
import type { ClusterAccess } from '../../model/cluster-access.ts'

/** Ends with an empty line, like the openstack client's. Quotes the path if needed. */
export const kubeconfigLine = (file: string, shell: string | undefined): string =>
  `${assign('KUBECONFIG', file, shell)}\n`

export function dockerLines({ server, ca }: ClusterAccess, dir: string, shell: string | undefined): string {
  const verify = ca === undefined ? '' : 'True'
  const values = { DOCKER_HOST: server, DOCKER_CERT_PATH: dir, DOCKER_TLS_VERIFY: verify }
  return `${Object.entries(values)
    .map(([name, value]) => assign(name, value, shell))
    .join('\n')}\n`
}

function assign(name: string, value: string, shell: string | undefined): string {
  const word = value && shellWord(value)
  return shell?.includes('csh') ? `setenv ${name} ${word}` : `export ${name}=${word}`
}
