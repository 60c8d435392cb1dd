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
}
