/** The context that leads to a federation, in the kubeconfig that people have. */
import {
  coeExtension,
  type Edit,
  editKubeconfig,
  isEdited,
  type Kubeconfig,
  type KubeconfigChange,
  loadKubeconfig,
  refuseUneditable,
  withCoeExtension,
} from '../config/kubeconfig.ts'
import { CoeError, conflict } from '../core/errors.ts'
import type { InlineAccess } from '../kube/connect.ts'
import { base64 } from '../kube/object.ts'
import type { FederationRecord } from './record.ts'
import type { Standalone } from './room.ts'

type Noted = Pick<FederationRecord, 'name' | 'uuid' | 'namespace' | 'host' | 'contextName'>

/** Before anything is made: a name that leads somewhere else is not ours to take, and a file must let itself be written. */
export async function refuseTakenContext(
  room: Standalone,
  wanted: { name: string; contextName: string; hostUid: string },
  file?: string,
): Promise<void> {
  refuse(await loadKubeconfig(room.world, { file }), wanted)
  try {
    await refuseUneditable(room.world, wanted.contextName, { file })
  } catch (error) {
    if (file !== undefined || !(error instanceof CoeError) || error.outcome !== 'failed') throw error
    throw new CoeError(error.outcome, `context "${wanted.contextName}" could not be written: ${error.message}`, {
      hint: '--kubeconfig-out FILE writes it to a file of its own',
      details: error.details,
      cause: error,
    })
  }
}

function refuse(now: Kubeconfig, wanted: { name: string; contextName: string; hostUid: string }): void {
  const { contextName } = wanted
  const context = now.contexts.get(contextName)
  const note = coeExtension(context)
  // the same name on the same host is this federation, or one before it that is gone
  if (note && note.federation === wanted.name && note['host-uid'] === wanted.hostUid) return
  const taken = context ?? now.clusters.get(contextName) ?? now.users.get(contextName)
  if (!taken) return
  const whose = note?.federation ? `it leads to federation "${note.federation}" on another host` : 'coe did not make it'
  throw conflict(
    `the kubeconfig has a ${context ? 'context' : 'cluster or user'} "${contextName}" already, and ${whose} (${taken.file})`,
    { hint: '--context-name NAME gives the new one another name' },
  )
}

export const writeContext = async (
  room: Standalone,
  record: Noted,
  access: InlineAccess,
  file?: string,
): Promise<boolean> => (await editKubeconfig(room.world, entryOf(record, access, file), { file })).length > 0

/** Is it there as it would be written? */
export const contextStands = (room: Standalone, record: Noted, access: InlineAccess, file?: string): Promise<boolean> =>
  isEdited(room.world, entryOf(record, access, file), { file })

/** current-context stays what it is, but for a file that has no context yet. */
function entryOf(record: Noted, access: InlineAccess, file: string | undefined): Edit {
  const name = record.contextName
  return (now: Kubeconfig): KubeconfigChange => {
    refuse(now, { name: record.name, contextName: name, hostUid: record.host.uid })
    return {
      ...(file !== undefined && now.contexts.size === 0 ? { currentContext: name } : {}),
      set: {
        clusters: {
          [name]: {
            server: access.server,
            ...(access.ca ? { 'certificate-authority-data': base64(access.ca) } : {}),
          },
        },
        users: {
          [name]: {
            ...(access.cert ? { 'client-certificate-data': base64(access.cert) } : {}),
            ...(access.key ? { 'client-key-data': base64(access.key) } : {}),
            ...(access.token ? { token: access.token } : {}),
          },
        },
        contexts: {
          [name]: withCoeExtension(
            { cluster: name, user: name },
            {
              federation: record.name,
              uuid: record.uuid,
              namespace: record.namespace,
              host: record.host.reference,
              'host-uid': record.host.uid,
            },
          ),
        },
      },
    }
  }
}

/** All that lead to this federation; those of others stay, whatever they are called. */
export async function removeContexts(room: Standalone, uuid: string, file?: string): Promise<void> {
  const change = (now: Kubeconfig): KubeconfigChange => {
    const ours = [...now.contexts.values()].filter(c => coeExtension(c)?.uuid === uuid)
    const names = (key: 'cluster' | 'user') => ours.map(c => String(c.value[key]))
    const others = [...now.contexts.values()].filter(c => !ours.includes(c))
    const free = (key: 'cluster' | 'user') => names(key).filter(n => !others.some(o => o.value[key] === n))
    return { remove: { contexts: ours.map(c => c.name), clusters: free('cluster'), users: free('user') } }
  }
  await editKubeconfig(room.world, change, { file })
}
