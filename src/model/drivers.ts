/** Drivers as users see them: what they provide, where they come from, and whether they are enabled. */
import type { DriverOption } from './driver-option.ts'

export interface DriverView {
  name: string
  /** Null if the driver was not loaded because it is disabled or broken. */
  version: string | null
  title: string | null
  provides: readonly ('federations' | 'clusters')[]
  source: 'built-in' | 'folder' | 'package'
  /** Folder that it was loaded from; null for built-in drivers. */
  location: string | null
  state: 'enabled' | 'disabled' | 'failed'
  error: string | null
  hint: string | null
}

export interface DriverDetails extends DriverView {
  /** `magnum` in `magnum:prod`, if the driver provides clusters. */
  prefix: string | null
  engineVersions: readonly string[]
  options: readonly DriverOption[]
  notes: string | null
}

export interface Drivers {
  list(): Promise<DriverView[]>
  get(name: string): Promise<DriverDetails>
  /** On simulated clusters. @param driver a folder, or the name of one that comes with coe */
  test(driver: string, how: DriverTest): Promise<readonly DriverCheck[]>
}

export interface DriverTest {
  /** Of the driver, for what is created. */
  options: Readonly<Record<string, unknown>>
  /** Of the templates of clusters. */
  labels: Readonly<Record<string, string>>
  /** At how many writes each change is killed. */
  deaths: number
  /** Told which check begins. */
  tell(check: string): void
}

export interface DriverCheck {
  check: string
  /** What must be so. */
  about: string
  result: 'passed' | 'failed' | 'skipped'
  /** What was found instead, or why it was left out. */
  detail: string | null
}
