/** The drivers that come with coe, by folder; each is loaded when it is first asked for. In the order in which they are tried. */
import type { FederationRights } from '../model/rights.ts'
import type { DriverFacts, FederationDriver, MakeDriver } from './driver-api.ts'

export interface BuiltIn {
  name: string
  /** What it is: small, and enough for help and completion. */
  facts(): Promise<DriverFacts>
  load(): Promise<MakeDriver>
  /** For those of federations: what docs/rbac.md shows. */
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
