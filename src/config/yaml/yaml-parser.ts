/** The package yaml, loaded only for files that the plain reader does not support, because loading takes 12 ms. */
export const loadYaml = () => import('yaml')

export type Yaml = Awaited<ReturnType<typeof loadYaml>>
export type { Alias, Document, Node, Pair, YAMLError, YAMLMap, YAMLSeq } from 'yaml'
