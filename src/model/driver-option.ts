/** An option that a driver adds to a command: data, so that help, completion and checks know it like any other. */

/** The commands that take options of drivers, by their words. */
export const driverCommands = [
  'federation create',
  'federation images',
  'federation join',
  'federation unjoin',
  'federation delete',
  'federation resume',
  'cluster create',
] as const
export type DriverCommand = (typeof driverCommands)[number]

export interface DriverOption {
  /** Without the dashes: `storage-class`. */
  name: string
  type: 'text' | 'flag' | 'choice' | 'number'
  choices?: readonly string[]
  /** In help: `NAME`, `SIZE`. */
  value?: string
  /** A regular expression that the whole of a value must match; told of by `value`. */
  pattern?: string
  /** May be given several times. */
  many?: boolean
  doc: string
  /** Told in help, applied by the driver. */
  fallback?: string
  /** The commands that it belongs to. */
  commands: readonly DriverCommand[]
  /** It says how to do it, not what is to be: no record keeps it. Options of other commands than `create` are never kept. */
  transient?: boolean
  /**
   * Of a transient option: what the record keeps until the change is done, so that another machine can finish it. `value`: as it was
   * given. `url`: where it is a URL without credentials; a file is private to one machine. Absent: nothing, and it is asked for again.
   */
  resume?: 'value' | 'url'
}

export const fits = (value: string, { pattern }: Pick<DriverOption, 'pattern'>): boolean =>
  pattern === undefined || new RegExp(`^(?:${pattern})$`).test(value)
