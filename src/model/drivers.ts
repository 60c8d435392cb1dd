/** Drivers as people see them: what they are, where they come from, and whether they are used. */
import type { DriverOption } from './driver-option.ts'

export interface DriverView {
  name: string
  /** Null where it was not loaded: turned off, or broken. */
  version: string | null
  title: string | null
  provides: readonly ('federations' | 'clusters')[]
  source: 'built-in' | 'folder' | 'package'
  /** Folder that it was loaded from; null when it came with coe. */
  location: string | null
  state: 'enabled' | 'disabled' | 'failed'
  error: string | null
  hint: string | null
}

export interface DriverDetails extends DriverView {
  /** `magnum` of `magnum:prod`, where it provides clusters. */
  prefix: string | null
  engineVersions: readonly string[]
  options: readonly DriverOption[]
  notes: string | null
}

export interface Drivers {
  list(): Promise<DriverView[]>
  get(name: string): Promise<DriverDetails>
}
