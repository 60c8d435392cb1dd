/** The package yaml. It takes 12 ms to load, so it is loaded only for the files that the plain reader leaves to it. */
export const loadYaml = () => import('yaml')

export type Yaml = Awaited<ReturnType<typeof loadYaml>>
export type { Alias, Document, Node, Pair, YAMLError, YAMLMap, YAMLSeq } from 'yaml'
