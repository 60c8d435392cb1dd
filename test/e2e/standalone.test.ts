/** The three lines on real clusters, with the power cut in between, and the way back: twice, and nothing is left. */
import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Clusters, clustersThere, openClusters } from './clusters.ts'
import { told } from './scene.ts'
import { workload } from './workload.ts'

let at: Clusters
beforeAll(async () => {
  if (clustersThere) at = await openClusters()
})
afterAll(async () => {
  if (!at) return
  const { name } = at
  await at.run(`federation delete ${name} --host host --unjoin --yes --ignore-not-found`)
  for (const context of ['c2', 'c3']) await at.kubectl(context, 'delete', 'namespace', name, '--ignore-not-found')
  await at.close()
})

const ok = async (line: string): Promise<string> => {
  const ended = await at.run(line)
  expect(ended.code, told(line, ended)).toBe(0)
  return ended.out
}

/** Ended by force in the midst of it, and run again. */
async function killedOnce(line: string, inTheMidst: RegExp): Promise<string> {
  const running = at.start(line)
  await running.says(inTheMidst)
  running.kill()
  expect((await running.ended).code).not.toBe(0)
  return ok(line)
}

describe.runIf(clustersThere)('a federation on real clusters (KUBECONFIG, COE_ASSETS)', () => {
  for (const round of ['first', 'second']) {
    describe(`the ${round} time`, () => {
      it('is made, though the first run was killed', async () => {
        const line = `federation create ${at.name} --host host --expose nodeport`
        expect(await killedOnce(line, /api-server: /)).toContain(`kubectl --context ${at.name} get clusters`)
        expect(await ok(line)).toContain('unchanged')
        expect(await ok(`${line} --dry-run`)).toMatch(/15 steps; nothing would change[\s\S]*Nothing would change\.\n$/)
      })

      it('joins two, though the first run was killed', async () => {
        await killedOnce(`federation join ${at.name} c2 c3`, /c2 account: /)
        expect(await ok(`federation join ${at.name} c2 c3`)).toContain('is already a member of federation')
      })

      it('tells kubectl that both are Ready', async () => {
        const rows = (await at.kubectl(at.name, 'get', 'clusters', '--no-headers')).trim().split('\n')
        expect(rows.map(row => row.split(/\s+/).filter((_, i) => i === 0 || i === 3))).toEqual([
          ['c2', 'True'],
          ['c3', 'True'],
        ])
      })

      it('is healthy', async () => {
        await ok(`federation status ${at.name}`)
        const members = JSON.parse(await ok(`federation members ${at.name} -f json`))
        expect(members.map((m: { name: string; ready: boolean }) => [m.name, m.ready])).toEqual([
          ['c2', true],
          ['c3', true],
        ])
      })

      it('keeps workloads running on a member that leaves, though that was killed too', async () => {
        const file = `${at.home}/workload.json`
        await writeFile(file, workload(at.name, ['c2', 'c3']))
        await at.kubectl(at.name, 'apply', '-f', file)
        for (const member of ['c2', 'c3']) {
          await at.kubectl(member, 'wait', '--for=create', `namespace/${at.name}`, '--timeout=200s')
          await at.kubectl(member, 'wait', '--for=create', 'deployment/web', '-n', at.name, '--timeout=200s')
          await at.kubectl(
            member,
            'wait',
            '--for=condition=Available',
            'deployment/web',
            '-n',
            at.name,
            '--timeout=200s',
          )
        }
        await killedOnce(`federation unjoin ${at.name} c3`, /c3 (preserve|detach): /)
        const labels = await at.kubectl(
          'c3',
          'get',
          'deployment',
          'web',
          '-n',
          at.name,
          '-o',
          'jsonpath={.metadata.labels}',
        )
        expect(JSON.parse(labels)).toEqual({ app: 'web' })
        expect(await at.kubectl('c3', 'get', 'pods', '-n', at.name, '-o', 'name')).toContain('pod/web-')
        await at.kubectl('c3', 'delete', 'namespace', at.name)
      })

      it('takes its workloads along from one that leaves so', async () => {
        await ok(`federation unjoin ${at.name} c2 --workloads delete --yes`)
        expect(await at.kubectl('c2', 'get', 'deployments', '-n', at.name, '-o', 'name')).toBe('')
      })

      it('is deleted, though that was killed, and leaves nothing on any of the three', async () => {
        const line = `federation delete ${at.name} --yes --ignore-not-found`
        const running = at.start(line)
        await running.says(/pods: /)
        running.kill()
        await running.ended
        await ok(line)
        expect(await at.left()).toEqual([])
        expect(await at.contexts()).toEqual(['c2', 'c3', 'host'])
      })
    })
  }
})
