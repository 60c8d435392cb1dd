import { arg, choice, text } from '../../cli/parse/values.ts'
import { defineCommand, ValueProblem } from '../../cli/spec.ts'
import { userPath } from '../../config/paths.ts'
import { usage } from '../../core/errors.ts'
import { nextStep } from '../../core/next-step.ts'
import { shellWord } from '../../core/shell-word.ts'
import { forkDriver } from './fork.ts'
import { scaffold } from './scaffold.ts'

const name = {
  ...arg('name of the new driver: lowercase letters, digits and _, with its generation at the end, such as example_v1'),
  parse([given = '']: readonly string[]): string {
    if (/^[a-z][a-z0-9]*(_[a-z0-9]+)*_v\d+$/.test(given)) return given
    const small = given
      .toLowerCase()
      .replace(/_v\d+$/, '')
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^[_0-9]+|_+$/g, '')
    throw new ValueProblem(`"${given}" is not a driver name: use ${small || 'example'}_v1`)
  },
}

export const driverInit = defineCommand({
  words: 'driver init',
  summary: 'Create a driver of your own from an example',
  description:
    'Writes a folder with a small driver that works as it is: facts and options, actions, templates, types to check it against, and a test. A driver for clusters finds them in a folder of kubeconfigs; a driver for federations keeps the members and their keys on the host, with an account for their users. Does not overwrite anything. docs/drivers.md explains the parts.',
  args: { name },
  options: {
    dir: text('dir', 'folder', "folder in which to create the driver's folder", {
      fallback: 'this one',
      complete: 'folder',
    }),
    provides: choice('provides', ['clusters', 'federations'], 'what it provides', { fallback: 'clusters' }),
    from: text('from', 'driver', 'start from a copy of this driver, which comes with coe: karmada_v1'),
  },
  examples: [
    { line: 'coe driver init shelf_v1 --dir ~/coe-drivers', help: 'clusters, by a prefix of its own' },
    { line: 'coe driver init roster_v1 --provides federations', help: 'federations' },
    { line: 'coe driver init mine_v1 --from karmada_v1', help: 'a fork of the one that comes with coe' },
  ],
  output: {
    kind: 'text',
    columns: [
      { name: 'name', type: 'string', help: 'name of the driver', nullable: false },
      { name: 'folder', type: 'string', help: 'folder of the driver', nullable: false },
      { name: 'files', type: 'array', help: 'files that were written', nullable: false },
    ],
  },
  exits: { 5: 'the folder exists already' },
  async run(context, { args, options }) {
    const parent = userPath(options.dir ?? '.', context.world)
    if (options.from !== undefined && options.provides !== undefined) {
      throw usage('--from and --provides exclude each other: a fork provides what its original does')
    }
    const made =
      options.from === undefined
        ? await scaffold(parent, args.name, options.provides ?? 'clusters')
        : await forkDriver(parent, args.name, options.from)
    context.say(`Driver ${args.name} is in ${made.folder}: ${listed(made.files)}`)
    context.note(
      `To use it, put this into config.yaml:

drivers:
  folders: [${parent}]

Its README.md says what to try.`,
      [
        nextStep('see where config.yaml is', 'config view', { option: 'origin' }),
        nextStep('see whether coe finds the driver', 'driver list'),
      ],
    )
    if (made.writableByOthers) {
      context.warn(`other users can write to ${parent}, so coe would refuse it: chmod go-w ${shellWord(parent)}`)
    }
    return { object: { name: args.name, folder: made.folder, files: made.files } }
  },
})

/** A fork has more than anybody reads. */
const listed = (files: readonly string[]): string => (files.length > 20 ? `${files.length} files` : files.join(', '))
