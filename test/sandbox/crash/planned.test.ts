/** A dry run after a killed run: it writes nothing, and names exactly what the next run creates. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Death } from '../../support/kill-switch.ts'
import { startLane } from './lane.ts'

const line = 'federation create myfed --host host --expose nodeport'
const kinds = /^(secrets|services|deployments\.apps|statefulsets\.apps) coe-fed-myfed\//
/** Before the API exists, and after. */
const places = [/PATCH .*\/deployments\/karmada-apiserver$/, /PATCH .*\/deployments\/karmada-scheduler$/]

it('names what is missing, wherever the previous run was killed', { timeout: 120_000 }, async () => {
  const lane = await startLane({ members: 1 })
  const { lab } = lane
  const there = () => new Set(lab.sandbox.host.snapshot().flatMap(({ key }) => (kinds.test(key) ? [key] : [])))
  const writes = await lane.observed(line)
  await lane.run('federation delete myfed --yes')
  const file = join(lab.home, 'fed.yaml')
  await writeFile(file, 'name: myfed\nhostcluster: host\nmembers: [c2]\n')
  for (const place of places) {
    const at = writes.find(({ what }) => place.test(what))
    if (!at) throw new Error(`no write is like ${place}`)
    const death: Death = { at, when: 'after' }
    await lane.killed(line, death)
    await lane.state() // waits until the requests that were sent are done
    const before = there()
    lab.sandbox.log.clear()
    const { out } = await lane.run(`${line} --dry-run -f json`)
    // requests of the killed run do not arrive
    expect(lab.sandbox.log.writes().filter(w => w.agent.startsWith('coe/') && w.processed)).toEqual([])
    const { result, planned } = JSON.parse(out) as { result: string; planned: { action: string; target: string }[] }
    expect(result).toBe('planned')
    // the dry run of a join needs a complete federation
    const withMember = await lane.run(`federation create --file ${file} --dry-run`)
    expect(withMember.out).toContain('Would then join c2')
    await lane.run(line)
    const made = [...there()].filter(key => !before.has(key)).map(key => key.replace(/^\S+ /, ''))
    const named = planned.flatMap(({ action, target }) =>
      action === 'create' && target.endsWith('on host "host"') ? (target.split(' ')[1] ?? []) : [],
    )
    expect(named.sort(), `${place}`).toEqual(made.sort())
    expect(JSON.parse((await lane.run(`${line} --dry-run -f json`)).out).result).toBe('unchanged')
    await lane.run('federation delete myfed --yes')
  }
  await lane.close()
})
