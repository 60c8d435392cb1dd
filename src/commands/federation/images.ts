import { requireVerb } from '../../cli/backend-nouns.ts'
import { type Column, defineCommand } from '../../cli/spec.ts'
import { federationsOf } from './federations.ts'
import { driverOptions, engineOf } from './input/engine-options.ts'

const columns: readonly Column[] = [
  { name: 'component', type: 'string', help: 'component that runs the image', nullable: false },
  { name: 'image', type: 'string', help: 'image that the nodes of the host pull', nullable: false },
]

export const federationImages = defineCommand({
  words: 'federation images',
  summary: 'List the images that a federation needs',
  description:
    'Lists the images that the nodes of the host will pull for a federation with these options, so that you can mirror them beforehand. Does not query a server.',
  args: {},
  options: driverOptions,
  examples: [
    { line: 'coe federation images -f value -c image | sort -u', help: 'for a script that mirrors them' },
    {
      line: 'coe federation images --image-registry mirror.example.com/karmada',
      help: 'their names in that registry',
    },
  ],
  output: { kind: 'list', columns },
  needs: 'federations.images',
  async run(context, { options }) {
    const { images } = requireVerb(await federationsOf(context), 'images')
    return { rows: await images(context.call, engineOf(options)) }
  },
})
