/** Reads a cloud's TLS files, if the address is https. */
import { readFile } from 'node:fs/promises'
import type { CloudConfig } from '../config/clouds/clouds.ts'
import { CoeError, failed } from '../core/errors.ts'
import { nextStep } from '../core/next-step.ts'
import type { TlsSettings } from '../http/tls.ts'
import { readAuthorities } from './authorities.ts'

export async function tlsFor(cloud: CloudConfig, url: string): Promise<TlsSettings> {
  if (!url.startsWith('https:')) return {}
  const trusted = async (path: string) => {
    const [own, more] = await Promise.all([readAuthorities(path), moreAuthorities(cloud)])
    return more ? `${own}\n${more}` : own
  }
  const asText = (path: string) => readFile(path, 'utf8')
  const read = (key: 'cacert' | 'cert' | 'key', what: string, path = cloud[key], reading = asText) =>
    path === undefined
      ? undefined
      : reading(path).catch((cause: Error) => {
          if (cause instanceof CoeError) throw cause
          const from = cloud.origins.get(path === cloud.cert ? 'cert' : key)
          throw failed(
            `cannot read the ${what} ${path}${from ? ` (from ${from})` : ''}: ${cause.message.replace(/,.*/, '')}`,
            { next: [nextStep('see all that is set for this cloud', 'config view', { option: 'origin' })], cause },
          )
        })
  const [ca, cert, key] = await Promise.all([
    cloud.verify ? read('cacert', 'CA file', cloud.cacert, trusted) : undefined,
    read('cert', 'client certificate'),
    read('key', 'client key', cloud.key ?? cloud.cert),
  ])
  return { ca, cert, key, insecure: !cloud.verify }
}

/** Like Node, ignores a file that cannot be read. */
const moreAuthorities = async ({ cacert, moreAuthorities: more }: CloudConfig): Promise<string | undefined> =>
  more === undefined || more === cacert ? undefined : readFile(more, 'utf8').catch(() => undefined)
