/** Hints for error answers: a table, the most specific rule first. */
import { type Advice, type NextStep, nextStep, optionArgs } from '../core/next-step.ts'

/** The release of each microversion, for users who must ask an operator for it, and the feature that needs it. */
const microversions: Record<string, { release: string; what?: string }> = {
  '1.2': { release: 'Newton' },
  '1.3': { release: 'Newton', what: '--rollback' },
  '1.4': { release: 'Ocata' },
  '1.5': { release: 'Ocata', what: 'the rotation of a CA' },
  '1.6': { release: 'Pike' },
  '1.7': { release: 'Stein', what: 'a resize' },
  '1.8': { release: 'Train', what: 'an upgrade' },
  '1.9': { release: 'Ussuri', what: 'anything about node groups' },
  '1.10': { release: 'Wallaby', what: 'a cluster or group without nodes' },
  '1.11': { release: '2023.2' },
  '1.12': { release: '2025.2', what: 'the rotation of credentials' },
  '1.13': { release: '2026.2' },
  '1.14': { release: '2026.2', what: 'a label or taint of nodes' },
}

/** The feature that needs this version: the beginning of a sentence that ends with "needs API version …". */
export const whatNeeds = (version: string | undefined): string => microversions[version ?? '']?.what ?? 'this request'

interface Rule {
  status?: number
  reason?: RegExp
  hint?: string
  next?: readonly NextStep[]
}

const rules: Rule[] = [
  { reason: /os_distro/, hint: 'set it on the image: openstack image set --property os_distro=fedora-coreos IMAGE' },
  { reason: /Cluster type \(.*Unset/, hint: 'Magnum also says this if it cannot find the image: check --image' },
  {
    reason: /reached the maximum clusters/,
    hint: 'delete a cluster, or ask an administrator for more',
    next: [nextStep('the administrator gives more with', 'quotas update', ...optionArgs('hard-limit', 'N'))],
  },
  { reason: /Multiple .* exist with same name/, hint: 'use its uuid' },
  {
    reason: /is referenced by one or multiple clusters/,
    hint: 'a template in use can only be renamed, hidden, published or tagged, one field at a time',
  },
  {
    reason: /default nodegroup is not supported/,
    hint: 'the default groups are deleted with the cluster',
    next: [nextStep('remove its workers', 'cluster resize', 'CLUSTER', '0')],
  },
  { reason: /sort_key value/, hint: '--sort-column sorts by any column, within coe' },
  {
    reason: /master_count must be 1 when master_lb_enabled is False/,
    hint: 'several masters need a load balancer: --master-lb-enabled',
  },
  { reason: /Unable to find flavor/, hint: 'to see the flavors: openstack flavor list' },
  { reason: /Unable to find (?:external |fixed )?network/, hint: 'to see the networks: openstack network list' },
  {
    reason: /attribute marker/,
    hint: '--marker takes the uuid (for quotas the id) of the last item of the previous page',
  },
  {
    reason: /API address is not available/,
    next: [nextStep('the cluster is still being created', 'cluster wait', 'CLUSTER')],
  },
  { reason: /trustee or trust/i, hint: 'application credentials cannot make trusts; use a password for this' },
  {
    status: 403,
    reason: /certificate:/,
    hint: 'only the user who created the cluster may get its certificates; ask that user for them',
  },
  {
    status: 403,
    reason: /Policy/,
    hint: 'your role does not allow it',
    next: [nextStep('see which roles this token has', 'auth status')],
  },
  { status: 403, next: [nextStep('see which project and roles this token has', 'auth status')] },
  {
    status: 401,
    hint: 'the token has expired or was revoked',
    next: [nextStep('get a new one', 'auth login')],
  },
  { status: 413, hint: 'send less at once' },
  { status: 429, hint: 'wait a little, and send fewer requests' },
  { status: 502, hint: 'the service may be restarting; try again shortly' },
  { status: 503, hint: 'the service may be restarting; try again shortly' },
  { status: 504, hint: 'the request may have succeeded anyway: check before trying again' },
]

export function adviceFor(status: number, reason: string, wanted?: string): Advice {
  if (status === 406 && wanted) {
    const release = microversions[wanted]?.release
    return { hint: release && `this needs Magnum of OpenStack ${release} or newer` }
  }
  const rule = rules.find(
    r => (r.status === undefined || r.status === status) && (r.reason === undefined || r.reason.test(reason)),
  )
  return { hint: rule?.hint, next: rule?.next }
}
