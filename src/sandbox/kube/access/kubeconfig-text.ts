import { stringify } from '../yaml.ts'
import type { Credentials } from './authority.ts'

export interface KubeconfigEntry {
  name: string
  server: string
  caCertificate: string
  /** A client certificate, or a token. */
  credentials: Credentials | { token: string }
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** A kubeconfig with one context for each entry; the first is current. */
export function kubeconfigText(entries: readonly KubeconfigEntry[]): string {
  const userOf = ({ name }: KubeconfigEntry) => `${name}-admin`
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': entries[0]?.name ?? '',
    clusters: entries.map(({ name, server, caCertificate }) => ({
      name,
      cluster: { server, 'certificate-authority-data': base64(caCertificate) },
    })),
    contexts: entries.map(entry => ({ name: entry.name, context: { cluster: entry.name, user: userOf(entry) } })),
    users: entries.map(entry => ({
      name: userOf(entry),
      user:
        'token' in entry.credentials
          ? { token: entry.credentials.token }
          : {
              'client-certificate-data': base64(entry.credentials.certificate),
              'client-key-data': base64(entry.credentials.key),
            },
    })),
  })
}
