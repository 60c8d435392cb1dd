/** The drivers that come with coe, in the order in which references are tried. Each is loaded on first use. */
import type { FederationRights } from '../model/rights.ts'
import type { DriverFacts, FederationDriver, MakeDriver } from './driver-api.ts'

export interface BuiltIn {
  name: string
  /** The driver's facts alone: loads quickly, and is all that help and completion need. */
  facts(): Promise<DriverFacts>
  load(): Promise<MakeDriver>
  /** The rights that docs/rbac.md lists, for drivers of federations. */
  rights?(): Promise<
    Required<Pick<FederationDriver, 'memberRights'>> & { hostRights(namespace: string): FederationRights }
  >
}

export const builtIn: readonly BuiltIn[] = [
  {
    name: 'karmada_v1',
    facts: async () => (await import('./karmada_v1/version.ts')).facts,
    load: async () => (await import('./karmada_v1/driver.ts')).default,
    rights: () => import('./karmada_v1/rights.ts'),
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
