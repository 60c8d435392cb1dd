/** A namespace that was taken over exists before and after: a run that is killed at it can be run again, too. */
import { expect, it } from 'vitest'
import { deathsOf, nameOf, type Write } from '../../support/kill-switch.ts'
import { connectAdmin } from '../../support/kube.ts'
import { startLane } from './lane.ts'
import { everything } from './matrix.ts'

const forth = 'federation create myfed --host host --expose nodeport --adopt'
const back = 'federation delete myfed --yes --ignore-not-found'

/**
 * The writes at which ownership changes: those to the namespace itself and the deletion of the record. With all writes:
 * the record and the Events, too.
 */
const handover = ({ what }: Write): boolean =>
  /PATCH \/api\/v1\/namespaces\/coe-fed-myfed(\?|$)|DELETE .*configmaps\/coe-federation/.test(what) ||
  (everything && /configmaps(\/coe-federation)?(\?|$)|DELETE .*events/.test(what))

it('is taken over and given back, wherever a previous run was killed', {
  timeout: everything ? 600_000 : 300_000,
}, async () => {
  const lane = await startLane({ members: 0 })
  const host = await connectAdmin(lane.lab.sandbox.host)
  const metadata = { name: 'coe-fed-myfed', labels: { team: 'a' }, annotations: { owner: 'ann' } }
  await host.create({ apiVersion: 'v1', kind: 'Namespace', metadata })
  await expect
    .poll(
      async () =>
        (await host.list({ apiVersion: 'v1', kind: 'ServiceAccount' }, { namespace: metadata.name })).items.length,
    )
    .toBe(1)
  const before = await lane.state()
  const writes = { forth: await lane.observed(forth), back: [] as Write[] }
  const after = await lane.state()
  writes.back = await lane.observed(back)
  await lane.becomes(before, 'undisturbed')
  const deaths = { forth: deathsOf(writes.forth.filter(handover)), back: deathsOf(writes.back.filter(handover)) }
  expect([deaths.forth.length, deaths.back.length].every(n => n >= 2)).toBe(true)
  for (let i = 0; i < Math.max(deaths.forth.length, deaths.back.length); i++) {
    for (const [line, all, end] of [
      [forth, deaths.forth, after],
      [back, deaths.back, before],
    ] as const) {
      const death = all[i % all.length]
      if (!death) continue
      await lane.killed(line, death)
      await lane.run(line)
      await lane.becomes(end, `"${line}" after its death ${nameOf(death)}`)
    }
  }
  await lane.close()
})
