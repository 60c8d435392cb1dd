import type { Context } from '../../cli/context.ts'
import { cloudFlags } from '../../cli/options/globals.ts'
import { queryTimeoutOption } from '../../cli/options/wait-options.ts'
import { inOneLine } from '../../cli/print/next-step.ts'
import { type Column, defineCommand } from '../../cli/spec.ts'
import { commit, version } from '../../cli/version.ts'
import { resultOf } from '../../core/concurrency.ts'
import { type Check, checked, failure, ok, skip } from './check.ts'
import { checkCloud } from './cloud.ts'
import { checkContexts } from './contexts.ts'
import { checkDrivers } from './drivers.ts'
import { checkKeptFiles } from './kept-files.ts'
import { checkKubeconfig, checkProxies, checkSettings, checkTokenCache } from './places.ts'

const columns: readonly Column[] = [
  { name: 'check', type: 'string', help: 'name of the check', nullable: false },
  { name: 'status', type: 'string', help: 'ok, warn, fail, or skip', nullable: false },
  { name: 'detail', type: 'string', help: 'result of the check', nullable: false },
  { name: 'remedy', type: 'string', help: 'what to do about it' },
]

export const doctor = defineCommand({
  words: 'doctor',
  summary: 'Find problems, and say how to fix them',
  description:
    'Checks the settings, the connection to the cloud (names, ports, certificates, proxies), Keystone, the login, Magnum and its API versions, the clock, the token cache, the kubeconfig and the drivers. In standalone mode it checks the server of each context instead of the cloud: name, port, certificate, login, version, clock and rights. Credential plugins run without a terminal; one that must prompt (interactiveMode: Always) is not started. A failed check does not stop the others. Changes nothing but the saved token, and ends within a minute and a half whatever the servers do.',
  args: {},
  options: { timeout: queryTimeoutOption },
  examples: [
    { line: 'coe doctor', help: 'when something does not work' },
    { line: 'coe --standalone doctor', help: 'every context of the kubeconfig' },
    { line: 'coe doctor -f json', help: 'for a bug report, or for monitoring' },
  ],
  output: { kind: 'list', columns, nullText: '' },
  exits: { 1: 'something is wrong' },
  async run(context, { options }) {
    const { node, platform } = context.host.versions
    if (context.streams.stderr.isTTY) context.progress.step('doctor', 'checking')
    const here = ok('program', `coe ${version} (${commit}), node ${node}, ${platform}`)
    // uses the mode and not the backend, because the backend may fail to open
    const mode = await resultOf(context.mode())
    const standalone = mode.ok && mode.value === 'standalone'
    const [settings, proxies, [cloud, cache], kubeconfig, drivers, kept, contexts] = await Promise.all([
      checked('settings', () => checkSettings(context)),
      checked('proxies', () => checkProxies(context)),
      // the login may save a token, so the cache is checked after it
      (standalone ? checkNamedCloud(context) : checkCloud(context)).then(
        async cloud => [cloud, await checked('token cache', () => checkTokenCache(context))] as const,
      ),
      checked('kubeconfig', () => checkKubeconfig(context, standalone)),
      checked('drivers', () => checkDrivers(context)),
      checkKeptFiles(context),
      standalone ? checkContexts(context, options.timeout).catch((error: unknown) => [failure('contexts', error)]) : [],
    ])
    context.signal.throwIfAborted()
    const rows: Check[] = [here, settings, proxies, ...cloud, cache, kubeconfig, drivers, ...kept, ...contexts]
    return { rows: rows.map(row => clean(row, context)), exit: rows.some(isFailure) ? 1 : 0 }
  },
})

/** Standalone mode uses a cloud only for magnum: references, so it is checked only if an option names it. */
async function checkNamedCloud(context: Context): Promise<Check[]> {
  const named = Object.values(cloudFlags(context.globals)).some(value => value !== undefined)
  if (named) return checkCloud(context)
  return [skip('cloud', 'not checked in standalone mode, unless you give --os-cloud NAME')]
}

const isFailure = (check: Check): boolean => check.status === 'fail'

/** Errors of servers and addresses of proxies may contain secrets. */
const clean = ({ check, status, detail, remedy, next }: Check, { line, redactor: { redact } }: Context) => ({
  check,
  status,
  detail: redact(detail),
  remedy: redact(inOneLine({ hint: remedy ?? undefined, next }, line)) || null,
})
