/** Certificates as rows of `federation status`. The valid ones share a row, because they would fill the screen. */
import type { Row } from '../../cli/spec.ts'
import type { CertificateHealth } from '../../model/federation-health.ts'

export function certificateRows(certificates: readonly CertificateHealth[], long: boolean): Row[] {
  const good = certificates.filter(c => !c.due)
  if (long || good.length < 2) return certificates.map(rowOf)
  const [first] = [...good].sort((a, b) => (a.not_after < b.not_after ? -1 : 1))
  const due = certificates.filter(c => c.due).map(rowOf)
  if (!first) return due
  return [...due, summary(first, good.length, due.length > 0)]
}

function summary(first: CertificateHealth, count: number, others: boolean): Row {
  return {
    part: 'certificate',
    name: `${count} ${others ? 'others' : 'certificates'}`,
    healthy: true,
    detail: `the first until ${day(first)} (${first.days_left} days)`,
    expires_at: first.not_after,
    days_left: first.days_left,
    certificates: count,
  }
}

function rowOf(certificate: CertificateHealth): Row {
  const { name, due, not_after, days_left } = certificate
  const readable = not_after !== ''
  const when = readable ? `until ${day(certificate)} (${days_left} days)` : 'it cannot be read'
  return {
    part: 'certificate',
    name,
    healthy: !due,
    detail: `${when}${due ? ': create it again to renew' : ''}`,
    expires_at: readable ? not_after : null,
    days_left: readable ? days_left : null,
  }
}

const day = ({ not_after }: CertificateHealth): string => not_after.slice(0, 10)
