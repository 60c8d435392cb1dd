/** The context for a federation, in the user's kubeconfig or in a separate file. */
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

type ContextOwner = NamedFederation & {
  /** The user of its certificate; undefined for the administrator. */
  user?: string | undefined
}

/**
 * Runs before anything is created. Refuses if an entry of this name belongs to something else, or if the file cannot be
 * written.
 */
export async function refuseTakenContext(
  deps: LocalDeps,
  record: ContextOwner,
  access: () => Promise<FederationAccess | undefined>,
  file?: string,
): Promise<void> {
  const kubeconfig = await loadKubeconfig(deps.world, { file })
  if (takenEntry(kubeconfig, record, undefined)) refuseTaken(kubeconfig, record, await access())
  try {
    await refuseUneditable(deps.world, record.contextName, { file })
  } catch (error) {
    if (file !== undefined || !(error instanceof CoeError) || error.outcome !== 'failed') throw error
    throw new CoeError(error.outcome, `cannot write context "${record.contextName}": ${error.message}`, {
      hint: '--kubeconfig-out FILE writes it to a separate file',
      details: error.details,
      cause: error,
    })
  }
}

function refuseTaken(kubeconfig: Kubeconfig, record: ContextOwner, access: FederationAccess | undefined): void {
  const taken = takenEntry(kubeconfig, record, access)
  if (!taken) return
  const { contextName: name } = record
  const other = coeExtension(taken.entry)?.federation
  const whose = other === undefined ? 'coe did not make it' : `it leads to federation "${other}" on another host`
  throw conflict(`the kubeconfig already has a ${taken.kind} "${name}", and ${whose} (${taken.entry.file})`, {
    hint: '--context-name NAME gives the new context another name',
  })
}

export const writeContext = async (
  deps: LocalDeps,
  record: ContextOwner,
  access: FederationAccess,
  file?: string,
): Promise<boolean> => {
  const { world, warn } = deps
  return (await editKubeconfig(world, entryOf(record, access, file), { file, warn })).length > 0
}

/** Whether writing the context would change nothing. */
export const isContextWritten = (
  deps: LocalDeps,
  record: ContextOwner,
  access: FederationAccess,
  file?: string,
): Promise<boolean> => isEdited(deps.world, entryOf(record, access, file), { file })

/** Sets current-context only in a separate file that has no contexts yet. */
function entryOf(record: ContextOwner, access: FederationAccess, file: string | undefined): Edit {
  const name = record.contextName
  // on all three entries, because any of them may remain after the user deletes the others
  const mark = { federation: record.name, uuid: record.uuid, 'host-uid': record.host.uid }
  return (kubeconfig: Kubeconfig): KubeconfigChange => {
    refuseTaken(kubeconfig, record, access)
    return {
      ...(file !== undefined && kubeconfig.contexts.size === 0 ? { currentContext: name } : {}),
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

/** Removes all contexts for this federation, and keeps those of others that have its name. */
export async function removeContexts(deps: LocalDeps, uuid: string, file?: string): Promise<void> {
  const change = (kubeconfig: Kubeconfig): KubeconfigChange => {
    const ours = [...kubeconfig.contexts.values()].filter(c => coeExtension(c)?.uuid === uuid)
    const others = [...kubeconfig.contexts.values()].filter(c => !ours.includes(c))
    const free = (section: 'clusters' | 'users', key: 'cluster' | 'user') => {
      const left = [...kubeconfig[section].values()].filter(e => coeExtension(e)?.uuid === uuid).map(e => e.name)
      const names = new Set([...ours.map(c => String(c.value[key])), ...left])
      return [...names].filter(name => !others.some(o => o.value[key] === name))
    }
    return {
      remove: { contexts: ours.map(c => c.name), clusters: free('clusters', 'cluster'), users: free('users', 'user') },
    }
  }
  await editKubeconfig(deps.world, change, { file })
}
