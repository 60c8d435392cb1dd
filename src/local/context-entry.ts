/** The context that leads to a federation, in the user's kubeconfig or in a file of its own. */
import {
  base64,
  coeExtension,
  type Edit,
  editKubeconfig,
  isEdited,
  type Kubeconfig,
  type KubeconfigChange,
  loadKubeconfig,
  refuseUneditable,
  withCoeExtension,
} from '../config/kubeconfig/kubeconfig.ts'
import { CoeError, conflict } from '../core/errors.ts'
import type { FederationAccess } from '../model/backend.ts'
import type { NamedFederation } from '../model/local-state.ts'
import type { LocalDeps } from './deps.ts'
import { takenEntry } from './taken-entry.ts'

type Noted = NamedFederation & {
  /** Whose certificate it has, where that is not the administrator's. */
  user?: string | undefined
}

/** Before anything is made: a name that leads somewhere else is not ours to take, and a file must let itself be written. */
export async function refuseTakenContext(
  deps: LocalDeps,
  record: Noted,
  access: () => Promise<FederationAccess | undefined>,
  file?: string,
): Promise<void> {
  const now = await loadKubeconfig(deps.world, { file })
  if (takenEntry(now, record, undefined)) refuseTaken(now, record, await access())
  try {
    await refuseUneditable(deps.world, record.contextName, { file })
  } catch (error) {
    if (file !== undefined || !(error instanceof CoeError) || error.outcome !== 'failed') throw error
    throw new CoeError(error.outcome, `context "${record.contextName}" could not be written: ${error.message}`, {
      hint: '--kubeconfig-out FILE writes it to a file of its own',
      details: error.details,
      cause: error,
    })
  }
}

function refuseTaken(now: Kubeconfig, record: Noted, access: FederationAccess | undefined): void {
  const taken = takenEntry(now, record, access)
  if (!taken) return
  const { contextName: name } = record
  const other = coeExtension(taken.entry)?.federation
  const whose = other === undefined ? 'coe did not make it' : `it leads to federation "${other}" on another host`
  throw conflict(`the kubeconfig has a ${taken.kind} "${name}" already, and ${whose} (${taken.entry.file})`, {
    hint: '--context-name NAME gives the new one another name',
  })
}

export const writeContext = async (
  deps: LocalDeps,
  record: Noted,
  access: FederationAccess,
  file?: string,
): Promise<boolean> => {
  const { world, warn } = deps
  return (await editKubeconfig(world, entryOf(record, access, file), { file, warn })).length > 0
}

/** Is it there as it would be written? */
export const contextStands = (
  deps: LocalDeps,
  record: Noted,
  access: FederationAccess,
  file?: string,
): Promise<boolean> => isEdited(deps.world, entryOf(record, access, file), { file })

/** current-context stays what it is, but for a file that has no context yet. */
function entryOf(record: Noted, access: FederationAccess, file: string | undefined): Edit {
  const name = record.contextName
  // on all three: each of them may be all that is left when somebody deletes entries by hand
  const mark = { federation: record.name, uuid: record.uuid, 'host-uid': record.host.uid }
  return (now: Kubeconfig): KubeconfigChange => {
    refuseTaken(now, record, access)
    return {
      ...(file !== undefined && now.contexts.size === 0 ? { currentContext: name } : {}),
      set: {
        clusters: {
          [name]: withCoeExtension(
            { server: access.server, ...(access.ca ? { 'certificate-authority-data': base64(access.ca) } : {}) },
            mark,
          ),
        },
        users: {
          [name]: withCoeExtension(
            {
              ...(access.cert ? { 'client-certificate-data': base64(access.cert) } : {}),
              ...(access.key ? { 'client-key-data': base64(access.key) } : {}),
              ...(access.token ? { token: access.token } : {}),
            },
            mark,
          ),
        },
        contexts: {
          [name]: withCoeExtension(
            { cluster: name, user: name },
            {
              ...mark,
              namespace: record.namespace,
              host: record.host.reference,
              ...(record.user === undefined ? {} : { user: record.user }),
            },
          ),
        },
      },
    }
  }
}

/** All that lead to this federation; those of others stay, whatever they are called. */
export async function removeContexts(deps: LocalDeps, uuid: string, file?: string): Promise<void> {
  const change = (now: Kubeconfig): KubeconfigChange => {
    const ours = [...now.contexts.values()].filter(c => coeExtension(c)?.uuid === uuid)
    const others = [...now.contexts.values()].filter(c => !ours.includes(c))
    const free = (section: 'clusters' | 'users', key: 'cluster' | 'user') => {
      const left = [...now[section].values()].filter(e => coeExtension(e)?.uuid === uuid).map(e => e.name)
      const names = new Set([...ours.map(c => String(c.value[key])), ...left])
      return [...names].filter(name => !others.some(o => o.value[key] === name))
    }
    return {
      remove: { contexts: ours.map(c => c.name), clusters: free('clusters', 'cluster'), users: free('users', 'user') },
    }
  }
  await editKubeconfig(deps.world, change, { file })
}
