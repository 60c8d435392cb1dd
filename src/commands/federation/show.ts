import { arg } from '../../cli/parse/values.ts'
import { inOneLine } from '../../cli/print/next-step.ts'
import { defineCommand, type Row } from '../../cli/spec.ts'
import type { Federation } from '../../model/federation.ts'
import { federationShowColumns, shown, standaloneColumns } from './columns.ts'
import { federationsOf } from './federations.ts'
import { recipeMembers } from './input/federation-file.ts'
import { placeOptions } from './input/place.ts'
import { hintAtResume } from './unfinished.ts'

export const federationShow = defineCommand({
  words: 'federation show',
  summary: 'Show a federation',
  description:
    'Shows a federation: its host, members, properties and status. In standalone mode, -f yaml and -f json print everything needed to create the same federation again with "coe federation create --file".',
  args: { federation: arg('name or uuid of the federation', { complete: 'federation' }) },
  options: placeOptions,
  examples: [
    { line: 'coe federation show myfederation', help: 'everything about it' },
    { line: 'coe federation show myfederation -f value -c status', help: 'its status, for a script' },
    {
      line: 'coe --standalone federation show myfed -f yaml > myfed.yaml',
      help: 'for creating the same federation again',
    },
  ],
  output: { kind: 'show', columns: [...federationShowColumns, ...standaloneColumns], header: ['Property', 'Value'] },
  async run(context, { args, options }) {
    const found = await (await federationsOf(context, options)).get(context.call, args.federation, { address: true })
    const { status_reason: reason, next } = found
    const federation = next
      ? { ...found, status_reason: inOneLine({ hint: reason ?? undefined, next }, context.line) }
      : found
    const object = shown(federation)
    hintAtResume(context, found)
    // only coe's own records have everything that is needed to create the same federation
    if (federation.settings === undefined) return { object }
    const columns = standaloneColumns.map(c => c.name)
    const joined = recipeMembers(federation)
    // scripts read the names in JSON; in YAML, which users edit, members appear only once
    const isYaml = context.chosen.format === 'yaml'
    return {
      object: { ...object, ...standaloneFields(federation), ...(isYaml ? { members: joined } : { joined }) },
      extraColumns: isYaml ? columns.filter(c => c !== 'joined' && c !== 'unfinished') : columns,
    }
  },
})

/** Drivers of engines with versions have an option of this name. */
const engineVersion = ({ settings }: Federation): unknown => settings?.['engine-version'] ?? null

const standaloneFields = (federation: Federation): Row => ({
  ...Object.fromEntries(standaloneColumns.map(({ name }) => [name, federation[name as keyof Federation] ?? null])),
  engine_version: engineVersion(federation),
})
