/** What the objects of one control plane are made from, besides what is only known while it is made. */
import type { EngineSettings } from '../settings.ts'

export interface Site {
  /** On the host. */
  namespace: string
  settings: EngineSettings
  /** The federation's own, for pods as well: the engine of plans puts them on everything else. */
  labels: Readonly<Record<string, string>>
}

/** Checksums of the Secrets by component: in a pod's annotation, they replace the pods when a certificate changes. */
export type Checksums = Readonly<Record<string, string>>
