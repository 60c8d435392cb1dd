/**
 * What stands for a value that an earlier step will give. In text it reads `<known after ID>`; whatever is read from
 * it or called on it is as unknown. So `want` works in a dry run as it is written for the real one.
 */

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
