import type { DriverFacts } from '../driver-api.ts'

export const facts: DriverFacts = {
  name: 'kubeconfig_v1',
  version: '1.0.0',
  title: 'existing clusters: any context of the kubeconfig, of any cloud and distribution',
  provides: ['clusters'],
  options: [],
}
