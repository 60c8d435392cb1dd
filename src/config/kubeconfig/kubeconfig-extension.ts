/** coe's notes on the contexts that it makes, in the kubeconfig's `extensions`, which other programs preserve. */

import { isMapping, type Mapping } from '../yaml/yaml-file.ts'
import type { KubeEntry } from './kubeconfig-read.ts'

const ours = 'coe'

const listOf = (context: Mapping): Mapping[] =>
  Array.isArray(context.extensions) ? (context.extensions as unknown[]).filter(isMapping) : []

/** coe's note on this context, or undefined if another program made the context. */
export function coeExtension(context: KubeEntry | undefined): Mapping | undefined {
  const found = context && listOf(context.value).find(e => e.name === ours)
  return found && isMapping(found.extension) ? found.extension : undefined
}

/** The content of a context with coe's note; keeps the notes of other programs. */
export function withCoeExtension(context: Mapping, note: Mapping): Mapping {
  const others = listOf(context).filter(e => e.name !== ours)
  return { ...context, extensions: [...others, { name: ours, extension: note }] }
}
