import { requireVerb } from '../../cli/backend-nouns.ts'
import type { Context } from '../../cli/context.ts'
import { requireConsent, yesOption } from '../../cli/options/consent.ts'
import { waitTimeoutOption } from '../../cli/options/wait-options.ts'
import { arg, keyValues, text } from '../../cli/parse/values.ts'
import { type Column, defineCommand } from '../../cli/spec.ts'
import type { Federation, UnfinishedChange } from '../../model/federation.ts'
import { dryRunOption, federationsOf, planColumn } from './federations.ts'
import { driverOptions, engineOf } from './input/engine-options.ts'
import { placeOptions } from './input/place.ts'
import { printChange } from './unfinished.ts'

const columns: readonly Column[] = [
  {
    name: 'change',
    type: 'string',
    help: 'create, update, delete, join or unjoin; null where nothing was left to do',
  },
  { name: 'name', type: 'string', help: 'the federation, or the member', nullable: false },
  {
    name: 'result',
    type: 'string',
    help: 'created, updated, deleted, joined, unjoined, unchanged, planned (--dry-run) or failed',
    nullable: false,
  },
  { name: 'reason', type: 'string', help: 'why it failed', prose: true },
]

const standalone = { mode: 'standalone' as const }

export const federationResume = defineCommand({
  words: 'federation resume',
  summary: 'Finish an unfinished change of a federation',
  description:
    'Finishes whatever was begun and not ended: a create with its members, a change of settings or properties, a join or unjoin of several clusters, a delete. It takes what is to be done from the record on the host, so it works on any machine and for any user, without the line that began it. A run that is still at work is waited for. What deletes something is confirmed again: whoever finishes it may be somebody else. A federation with nothing unfinished is no error.',
  args: { federation: arg('name or uuid of the federation', { complete: 'federation' }) },
  options: {
    memberContext: keyValues(
      'member-context',
      "what a member's cluster is called on this machine, as NAME=CONTEXT; repeatable",
      standalone,
    ),
    contextName: text('context-name', 'name', 'name of the context that leads to the federation', {
      ...standalone,
      fallback: 'the one that was asked for',
    }),
    kubeconfigOut: text('kubeconfig-out', 'file', 'write that context to this file, not to your kubeconfig', {
      ...standalone,
      complete: 'file',
    }),
    driverOption: driverOptions.driverOption,
    yes: yesOption,
    ...placeOptions,
    dryRun: dryRunOption,
    waitTimeout: waitTimeoutOption,
  },
  examples: [
    { line: 'coe --standalone federation resume myfed', help: 'whatever it was' },
    { line: 'coe --standalone federation resume myfed --dry-run', help: 'what is left to do' },
    {
      line: 'coe --standalone federation resume myfed --host c1 --member-context c2=staging',
      help: 'on a machine where the cluster of member c2 is context "staging"',
    },
  ],
  output: { kind: 'text', many: true, columns },
  needs: 'federations.resume',
  exits: {
    3: 'there is no such federation',
    5: 'another run is at work on it',
    6: 'some was finished, and some was not',
  },
  async run(context, { args: { federation: ref }, options }) {
    const federations = requireVerb(await federationsOf(context, options), 'resume')
    const { memberContext, contextName, kubeconfigOut, dryRun } = options
    const found = await federations.get(context.call, ref)
    const confirmed = dryRun ? [] : await confirmedChanges(context, found, options)
    const how = { contexts: memberContext, contextName, kubeconfigOut, options: engineOf(options).options, confirmed }
    const operation = await context.operation({ ...options, wait: true })
    const changes = await federations.resume(context.call, ref, how, operation)
    const name = found.name ?? ref
    if (changes.length === 0) {
      context.say(`Federation ${name} has no unfinished change: unchanged`)
      return { rows: [{ change: null, name, result: 'unchanged', reason: null }] }
    }
    const rows = changes.flatMap(change => printChange(context, name, change, dryRun))
    return { rows, anyWorked: rows.some(row => row.result !== 'failed'), ...planColumn(dryRun) }
  },
})

const questions = {
  delete: (name: string) => `Go on deleting federation "${name}"?`,
  unjoin: (name: string, members: string) =>
    `Go on taking ${members} out of federation "${name}", as it was asked for?`,
}

/** What deletes something, or leaves something on a cluster for good. */
async function confirmedChanges(
  context: Context,
  { name, unfinished = [] }: Federation,
  { yes }: { yes: boolean },
): Promise<UnfinishedChange['verb'][]> {
  const severe = unfinished.filter(change => change.deletes)
  for (const { verb, members = [] } of severe) {
    const ask = verb === 'delete' ? questions.delete : questions.unjoin
    await requireConsent(context, ask(name ?? '', members.map(m => `"${m}"`).join(', ')), { yes })
  }
  return severe.map(change => change.verb)
}
