/** Another machine with access to the same clusters: another home, and other names for the contexts. */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { type RunOptions, type RunResult, words } from './run.ts'
import type { StandaloneLab } from './standalone.ts'

interface Named {
  name: string
}

export interface OtherMachine {
  home: string
  kubeconfig: string
  run(line: string, options?: RunOptions): Promise<RunResult>
}

/** @param called what the contexts are called there; those that are not named are not there */
export async function otherMachine(
  lab: StandaloneLab,
  called: Readonly<Record<string, string>>,
): Promise<OtherMachine> {
  const folder = await mkdtemp(join(lab.home, '.other-'))
  const home = join(folder, 'home')
  const kubeconfig = join(folder, 'kubeconfig')
  await mkdir(home)
  const { contexts, ...rest } = parse(lab.sandbox.kubeconfig) as { contexts: Named[] }
  const renamed = contexts.flatMap(context =>
    called[context.name] === undefined ? [] : { ...context, name: called[context.name] },
  )
  await writeFile(kubeconfig, stringify({ ...rest, contexts: renamed, 'current-context': '' }), { mode: 0o600 })
  return {
    home,
    kubeconfig,
    run: (line, options = {}) =>
      lab.run(words(line), {
        home,
        cwd: home,
        ...options,
        env: { HOME: home, KUBECONFIG: kubeconfig, ...options.env },
      }),
  }
}
