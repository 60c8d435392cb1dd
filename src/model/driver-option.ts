/** An option that a driver adds to a command: data that help, completion and checks use as for any other option. */

/** The commands that accept options of drivers. */
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
  /** A regular expression that the entire value must match; `value` describes it to the user. */
  pattern?: string
  /** The option is repeatable. */
  many?: boolean
  doc: string
  /** The default: shown in help, applied by the driver. */
  fallback?: string
  /** The commands that it belongs to. */
  commands: readonly DriverCommand[]
  /** The option only affects this run, so the record does not keep it. Only options of `create` are ever kept. */
  transient?: boolean
  /**
   * What the record keeps of a transient option until the change is done, so that another machine can resume it. `value`: the value
   * itself. `url`: the value if it is a URL without credentials; files exist on one machine only. Absent: nothing; the user must repeat it.
   */
  resume?: 'value' | 'url'
}

export const fits = (value: string, { pattern }: Pick<DriverOption, 'pattern'>): boolean =>
  pattern === undefined || new RegExp(`^(?:${pattern})$`).test(value)
