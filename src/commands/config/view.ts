import type { Context } from '../../cli/context.ts'
import { decideMode, preferredCloud } from '../../cli/mode.ts'
import { cloudFlags } from '../../cli/options/globals.ts'
import { flag } from '../../cli/parse/values.ts'
import { type Column, defineCommand, type Row } from '../../cli/spec.ts'
import { chooseCloud } from '../../config/clouds/cloud-choice.ts'
import { loadCloud } from '../../config/clouds/clouds.ts'
import { loadSettings, type Settings } from '../../config/settings.ts'
import { resultOf } from '../../core/concurrency.ts'
import { cloudRows, placeRows, settingRows } from './rows.ts'

const columns: readonly Column[] = [
  { name: 'key', type: 'string', help: 'the setting; openstack.* as in clouds.yaml', nullable: false },
  { name: 'value', type: 'any', help: 'the value in effect; secrets are never shown' },
  { name: 'origin', type: 'string', help: 'option, variable, or file and line that it comes from', long: true },
]

export const configView = defineCommand({
  words: 'config view',
  summary: 'Show every setting in effect',
  description:
    'Shows the settings of coe and of the OpenStack cloud that result from options, environment and files, and with --origin where each comes from. Never shows passwords, tokens or other secrets. Does not query a server.',
  args: {},
  options: { origin: flag('origin', 'show where each setting comes from') },
  examples: [
    { line: 'coe config view --origin', help: 'where each value comes from' },
    { line: 'coe config view --os-cloud prod -f json', help: 'the settings for prod' },
  ],
  output: { kind: 'list', columns },
  exits: { 6: "the cloud's settings cannot be read; the others are shown" },
  async run(context, { options }) {
    const { standalone, color, kubeconfig } = context.globals
    const settings = await loadSettings(context.world, { standalone, color })
    for (const warning of settings.warnings) context.warn(warning)
    const rows = [
      ...settingRows(settings).filter(r => r.key !== 'mode' && r.key !== 'cloud'),
      ...placeRows(context.world, settings, kubeconfig),
    ]
    const [mode, cloud] = await Promise.all([
      resultOf(modeRow(context, settings)),
      resultOf(rowsOfCloud(context, settings)),
    ])
    // both read the cloud's files, so report an error in them once
    const broken = [cloud, mode].find(s => !s.ok)
    if (broken && !broken.ok) context.report(broken.error)
    const all = [...(mode.ok ? [mode.value] : []), ...rows, ...(cloud.ok ? cloud.value : [])]
    return { rows: all.map(r => redacted(context, r)), long: options.origin, anyWorked: true }
  },
})

async function modeRow(context: Context, settings: Settings): Promise<Row> {
  const { mode, origin } = await decideMode(context.world, context.globals, settings)
  return { key: 'mode', value: mode, origin }
}

async function rowsOfCloud(context: Context, settings: Settings): Promise<Row[]> {
  const flags = cloudFlags(context.globals)
  const preferred = preferredCloud(settings)
  const choice = await chooseCloud(context.world, flags, preferred)
  if (choice.kind === 'none') {
    context.note(`no OpenStack cloud: ${choice.origin}`)
    return []
  }
  const cloud = await loadCloud(context.world, flags, preferred)
  for (const warning of cloud.warnings) context.warn(warning)
  return cloudRows(cloud)
}

/** An address may contain a password. */
function redacted(context: Context, row: Row): Row {
  const { value } = row
  return typeof value === 'string' ? { ...row, value: context.redactor.redact(value) } : row
}
