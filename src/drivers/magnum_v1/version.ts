import type { DriverFacts } from '../driver-api.ts'

export const facts: DriverFacts = {
  name: 'magnum_v1',
  version: '1.0.0',
  title: "clusters of OpenStack Magnum, by name or uuid; the cluster's CA in Magnum signs a certificate for each run",
  provides: ['clusters'],
  options: [],
  notes: 'Needs a cloud (--os-cloud, OS_CLOUD). Magnum gives certificates only to the user who created the cluster.',
}
