/**
 * Announces a change: as Events of the record, for users of kubectl, and to a webhook, if one is configured.
 * Neither may delay or fail the change itself.
 */
import type { ClusterApi } from '../../kube/api/cluster-api.ts'
import { labelsOf, recordName } from '../records/names.ts'
import type { Verb } from './history.ts'

export type Phase = 'started' | 'done' | 'failed'

export interface Notice {
  verb: Verb
  phase: Phase
  federation: { name: string; uuid: string; namespace: string }
  /** `c2, c3` */
  about?: string | undefined
  error?: string | undefined
  run: string
  at: string
  by: string
}

/** Sends a CloudEvent; undefined where no webhook is configured. */
export type Webhook = ((event: CloudEvent) => Promise<void>) | undefined

/** CloudEvents 1.0, in its JSON form. */
export interface CloudEvent {
  specversion: '1.0'
  id: string
  source: string
  type: string
  subject: string
  time: string
  datacontenttype: 'application/json'
  data: Record<string, unknown>
}

/** An Event is a courtesy: a slow server must not delay the change. */
const eventMs = 4_000

/** @param host undefined once the record is gone: the end of a delete goes to the webhook alone. */
export async function notify(
  notice: Notice,
  to: { host: ClusterApi | undefined; webhook: Webhook; warn(text: string): void },
): Promise<void> {
  const { host, webhook, warn } = to
  await Promise.all([
    // users without the right to write Events may still change a federation
    host?.create(kubernetesEvent(notice), { timeoutMs: eventMs }).catch(() => {}),
    webhook?.(cloudEvent(notice)).catch((error: Error) => warn(`the webhook was not told: ${error.message}`)),
  ])
}

const words: Record<Phase, string> = { started: 'Started', done: 'Done', failed: 'Failed' }

function sentence({ verb, phase, about, error, by }: Notice): string {
  const what = [verb, about].filter(Boolean).join(' ')
  return `${what} ${phase}${error === undefined ? '' : `: ${error}`} (coe on ${by})`
}

function kubernetesEvent(notice: Notice) {
  const { verb, phase, federation, at } = notice
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: {
      name: `${recordName}.${notice.run}.${verb}-${phase}`,
      namespace: federation.namespace,
      labels: labelsOf(federation.name, federation.uuid),
    },
    involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', name: recordName, namespace: federation.namespace },
    type: phase === 'failed' ? 'Warning' : 'Normal',
    reason: `${verb.charAt(0).toUpperCase()}${verb.slice(1)}${words[phase]}`,
    message: sentence(notice).slice(0, 1024),
    source: { component: 'coe' },
    firstTimestamp: at,
    lastTimestamp: at,
    count: 1,
  }
}

const cloudEvent = (notice: Notice): CloudEvent => ({
  specversion: '1.0',
  id: `${notice.run}-${notice.verb}-${notice.phase}`,
  source: `coe/federations/${notice.federation.uuid}`,
  type: `coe.federation.${notice.verb}.${notice.phase}`,
  subject: notice.federation.name,
  time: notice.at,
  datacontenttype: 'application/json',
  data: {
    federation: notice.federation.name,
    uuid: notice.federation.uuid,
    verb: notice.verb,
    phase: notice.phase,
    about: notice.about ?? null,
    error: notice.error ?? null,
    by: notice.by,
  },
})
