/** Lines to paste lead to where this run went: they repeat the cloud and the kubeconfig that its command line named. */
import { shellWord } from '../../core/shell-word.ts'
import { globalOptions } from '../options/globals.ts'
import type { Given } from '../parse/parser.ts'

const repeated = Object.values(globalOptions).filter(
  o => !o.secret && (o.group === 'OpenStack' || o.name === 'kubeconfig' || o.name === 'insecure'),
)

/** @param firstWords what commands begin with: tells "coe cluster list" from "coe cannot know" */
export function saidAgain(given: Given, firstWords: readonly string[]): (text: string) => string {
  const options = repeated.flatMap(({ name, value }) => {
    const said = given.get(name)?.at(-1)
    return said === undefined ? [] : [value === undefined ? `--${name}` : `--${name} ${shellWord(said)}`]
  })
  if (options.length === 0) return text => text
  const line = new RegExp(
    String.raw`(?<=^|["(]|[:;] )coe (?=(?:--standalone )?(?:${firstWords.join('|')})\b(?![^"\n]* --help))`,
    'gm',
  )
  return text => text.replaceAll(line, () => `coe ${options.join(' ')} `)
}
