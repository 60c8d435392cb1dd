/** Labels: `--labels` as the openstack client reads it, and `--label`, which takes its value literally. */
import { type OptionSpec, ValueProblem } from '../spec.ts'
import { keyValues } from './values.ts'

export type LabelMap = Record<string, string>

/**
 * Upstream's rules: a single text with several equal signs is a list, separated by commas or semicolons; otherwise each text is
 * one label, whatever it contains. A repeated key appends to its value, after a comma.
 */
export function parseLabels(given: readonly string[]): LabelMap {
  const [only] = given
  const isList = given.length === 1 && only !== undefined && only.split('=').length > 2
  const texts = isList ? only.replaceAll(';', ',').split(',') : given
  const labels = new Map<string, string>() // in an object, __proto__ would not become a key
  for (const text of texts) {
    const at = text.indexOf('=')
    if (at <= 0)
      throw new ValueProblem(
        at === 0
          ? `"${text}" names no label: it is not of the form KEY=VALUE`
          : `"${text}" is not of the form KEY=VALUE; --label takes one label literally`,
      )
    const key = text.slice(0, at)
    const value = text.slice(at + 1)
    labels.set(key, labels.has(key) ? `${labels.get(key)},${value}` : value)
  }
  return Object.fromEntries(labels)
}

/** `--labels` in upstream's dialect: undefined if it is not given at all. */
export function labelList(name: string, help: string): OptionSpec<LabelMap | undefined> {
  const parse = (given: readonly string[]) => (given.length ? parseLabels(given) : undefined)
  return { name, value: 'key=value,…', help, repeat: true, parse }
}

export const labelOptions = {
  labels: labelList('labels', 'labels, as KEY=VALUE,KEY2=VALUE2 or one for each --labels; repeatable'),
  label: keyValues('label', 'one label, taken literally: commas and equal signs belong to its value; repeatable'),
}

/** Both options together; undefined if neither is given, so that nothing is sent. */
export function givenLabels(options: { labels: LabelMap | undefined; label: LabelMap }): LabelMap | undefined {
  const all = { ...options.labels, ...options.label }
  return options.labels === undefined && Object.keys(all).length === 0 ? undefined : all
}
