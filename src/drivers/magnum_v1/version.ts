import type { DriverFacts } from '../driver-api.ts'

export const facts: DriverFacts = {
  name: 'magnum_v1',
  version: '1.0.0',
  title: "clusters that OpenStack Magnum made, by name or uuid; the way in is signed by Magnum's CA for them",
  provides: ['clusters'],
  options: [],
  notes: 'Needs a cloud (--os-cloud, OS_CLOUD): only the user who made a cluster may have its certificates.',
}
