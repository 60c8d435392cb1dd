/** Options of clusters and templates, spelled as in the openstack client. */
import { flagPair } from '../parse/flag-pairs.ts'

export const floatingIp = flagPair(
  'floating-ip-enabled',
  'give the nodes floating addresses',
  'floating-ip-disabled',
  'give the nodes no floating addresses',
)
