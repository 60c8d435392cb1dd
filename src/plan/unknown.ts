/** What stands in a dry run for a value that an earlier step will give, so that `want` works there as it is written for the real run. */

/**
 * A value that a step gives. In a dry run it may not be known yet; then it reads `<known after ID>` in text (`${value}`), and whatever
 * is read from it or called on it is unknown, too. So it can be put into objects and into text, and decides nothing: its
 * length, a comparison with it, or what a function outside makes of it means nothing.
 */
export type Unknown<T> = unknown extends T
  ? T
  : T extends null | undefined
    ? T
    : T & { readonly unknownInDryRun?: true }

/** All that steps give, as far as it is known. */
export type Outputs<O extends object> = { [K in keyof O]: Unknown<O[K]> }

/** To steps, outputs are always of this type: what is known is no different for them. */
export const asOutputs = <O extends object>(outputs: O): Outputs<O> => outputs as Outputs<O>

const marks = new WeakSet<object>()

export function unknown(label: string): unknown {
  const mark: object = new Proxy(() => label, {
    get(_, key) {
      if (key === Symbol.toPrimitive || key === 'toString' || key === 'toJSON' || key === 'valueOf') return () => label
      if (key === Symbol.iterator) return () => [mark][Symbol.iterator]()
      if (key === 'then') return undefined // else `await` would wait for ever
      if (key === 'length') return label.length
      return mark
    },
    apply: () => mark,
    has: () => true,
  })
  marks.add(mark)
  return mark
}

/** In a dry run: is it a value that only the run itself will know? */
export const isUnknown = (value: unknown): boolean =>
  (typeof value === 'function' || typeof value === 'object') && value !== null && marks.has(value)

/**
 * Outputs as a dry run has them: what is given, and for the rest the step that gives it.
 * @param asked told of each unknown that is read
 */
export function unknownOutputs<O extends object>(
  given: Partial<O> | undefined,
  labels: ReadonlyMap<string, string>,
  asked: (label: string) => void,
): O {
  return new Proxy({ ...given } as O, {
    get(known, key) {
      if (typeof key === 'symbol' || key in known) return Reflect.get(known, key)
      const label = labels.get(key)
      if (label === undefined) return undefined
      asked(label)
      return unknown(label)
    },
  })
}
