/** The drivers that come with coe, by folder; each is loaded when it is first asked for. In the order in which they are tried. */
import type { DriverFacts, MakeDriver } from './driver-api.ts'

export interface BuiltIn {
  name: string
  /** What it is: small, and enough for help and completion. */
  facts(): Promise<DriverFacts>
  load(): Promise<MakeDriver>
}

export const builtIn: readonly BuiltIn[] = [
  {
    name: 'karmada_v1',
    facts: async () => (await import('./karmada_v1/version.ts')).facts,
    load: async () => (await import('./karmada_v1/driver.ts')).default,
  },
  {
    name: 'kubeconfig_v1',
    facts: async () => (await import('./kubeconfig_v1/version.ts')).facts,
    load: async () => (await import('./kubeconfig_v1/driver.ts')).default,
  },
  {
    name: 'magnum_v1',
    facts: async () => (await import('./magnum_v1/version.ts')).facts,
    load: async () => (await import('./magnum_v1/driver.ts')).default,
  },
]
