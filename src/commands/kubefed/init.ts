import { defineCommand } from '../../cli/spec.ts'
import { create, federationCreate } from '../federation/create.ts'

const { hostcluster, namespace } = federationCreate.options

/** `kubefed init`: the same as `federation create`, with kubefed's names for the options. */
export const init = defineCommand({
  ...federationCreate,
  words: 'init',
  summary: 'Create a federation, as kubefed does',
  description: 'The same as "coe federation create", with the options of kubefed.',
  options: {
    ...federationCreate.options,
    hostcluster: { ...hostcluster, name: 'host-cluster-context', also: ['--host', '--hostcluster'], value: 'context' },
    namespace: { ...namespace, name: 'federation-system-namespace', also: ['--namespace'] },
  },
  examples: [
    { line: 'coe init myfed --host-cluster-context c1', help: 'a federation hosted by the cluster of context c1' },
  ],
  needs: 'federations.at',
  run: (context, input) => create(context, input, { command: 'coe init', host: '--host-cluster-context' }),
})
