/** The options that say where to find a federation. */

import { queryTimeoutOption } from '../../../cli/options/wait-options.ts'
import { text } from '../../../cli/parse/values.ts'
import type { FederationPlace } from '../../../model/backend.ts'

export const namespaceOption = text('namespace', 'name', 'namespace of the federation on its host', {
  mode: 'standalone',
  fallback: 'coe-fed-NAME',
})

export const placeOptions = {
  host: text('host', 'cluster', 'query only this host', {
    mode: 'standalone',
    complete: 'context',
    fallback: 'the host noted on the context of that name, else the clusters of all contexts',
  }),
  namespace: namespaceOption,
  timeout: queryTimeoutOption,
}

export interface PlaceValues {
  host?: string | undefined
  namespace?: string | undefined
  timeout?: number | undefined
}

export const placeOf = ({ host, namespace, timeout }: PlaceValues): FederationPlace => ({
  ...(host === undefined ? {} : { host }),
  ...(namespace === undefined ? {} : { namespace }),
  ...(timeout === undefined ? {} : { timeoutMs: timeout }),
})
