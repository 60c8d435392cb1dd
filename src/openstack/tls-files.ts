/** The files that a cloud's TLS needs, read when there is something to encrypt. */
import { readFile } from 'node:fs/promises'
import type { CloudConfig } from '../config/clouds.ts'
import { failed } from '../core/errors.ts'
import type { TlsSettings } from '../http/tls.ts'

export async function tlsFor(cloud: CloudConfig, url: string): Promise<TlsSettings> {
  if (!url.startsWith('https:')) return {}
  const read = (path: string | undefined, what: string) =>
    path === undefined
      ? undefined
      : readFile(path, 'utf8').catch((cause: Error) => {
          throw failed(`cannot read the ${what} ${path}: ${cause.message.replace(/,.*/, '')}`, {
            hint: '"coe config view --origin" shows what names it',
            cause,
          })
        })
  const [ca, cert, key] = await Promise.all([
    cloud.verify ? read(cloud.cacert, 'CA file') : undefined,
    read(cloud.cert, 'client certificate'),
    read(cloud.key ?? cloud.cert, 'client key'),
  ])
  return { ca, cert, key, insecure: !cloud.verify }
}
