/** What coe notes on the contexts it makes: kubeconfigs have a place for that, and other programs leave it alone. */

import { isMapping, type Mapping } from '../yaml/yaml-file.ts'
import type { KubeEntry } from './kubeconfig-read.ts'

const ours = 'coe'

const listOf = (context: Mapping): Mapping[] =>
  Array.isArray(context.extensions) ? (context.extensions as unknown[]).filter(isMapping) : []

/** What coe noted on this context, or undefined: it is somebody else's. */
export function coeExtension(context: KubeEntry | undefined): Mapping | undefined {
  const found = context && listOf(context.value).find(e => e.name === ours)
  return found && isMapping(found.extension) ? found.extension : undefined
}

/** The content of a context with our note on it; notes of others stay. */
export function withCoeExtension(context: Mapping, note: Mapping): Mapping {
  const others = listOf(context).filter(e => e.name !== ours)
  return { ...context, extensions: [...others, { name: ours, extension: note }] }
}
