import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CoeError } from '../../../src/core/errors.ts'
import { nextStep } from '../../../src/core/next-step.ts'
import { systemClock } from '../../../src/core/time.ts'
import type { ClusterApi } from '../../../src/kube/api/cluster-api.ts'
import { runPlan } from '../../../src/plan/engine.ts'
import type { Plan } from '../../../src/plan/step.ts'
import type { Effect } from '../../../src/sandbox/faults.ts'
import { type KubeSandbox, startKubeSandbox } from '../../../src/sandbox/kube/start.ts'
import { configMap, connectAdmin, deploymentObject, namespaceObject, recordingReport } from '../../support/kube.ts'

let sandbox: KubeSandbox
let api: ClusterApi

beforeAll(async () => {
  sandbox = await startKubeSandbox({ members: 0 })
  api = await connectAdmin(sandbox.host)
})
afterAll(() => sandbox.close())

const planFor = (ns: string): Plan => ({
  title: 'create it',
  owner: { what: 'federation', key: 'coe/federation-uuid', labels: { 'coe/federation-uuid': ns } },
  clusters: { host: { title: 'host', connect: async () => api } },
  steps: [
    { id: 'place', title: 'a place', want: () => [namespaceObject(ns)] },
    { id: 'settings', title: 'settings', needs: ['place'], want: () => [configMap('one', ns), configMap('two', ns)] },
    { id: 'server', title: 'a server', needs: ['settings'], want: () => [deploymentObject('web', ns)] },
  ],
})

const resume = nextStep('resume', 'federation create', 'f')

const run = (ns: string) => {
  const op = {
    wait: true,
    waitTimeoutMs: 15_000,
    dryRun: false,
    signal: new AbortController().signal,
    report: recordingReport(),
  }
  return runPlan(planFor(ns), { op, clock: systemClock, resume })
}

const effects: Record<string, Effect> = {
  'a reset before': { kind: 'reset-before' },
  'a reset after': { kind: 'reset-after' },
  'an outage (503)': { kind: 'answer', status: 503, body: 'upstream is gone' },
  'a cut answer': { kind: 'truncate', bytes: 20 },
}

/** Pods are looked at when something takes its time, on a busy machine more often than on another: these are not counted. */
const always = /^(?!.*\/(pods|events)\b)/

/** Each request that a quiet run makes, in turn, meets each fault: the plan gets through, or says why and can be run again. */
describe.each(Object.entries(effects))('%s', (name, effect) => {
  test('at any request leaves nothing that a second run does not complete', async () => {
    const word = name.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
    const before = sandbox.host.log.all().length
    await run(`kp-${word}-0`)
    const requests = sandbox.host.log
      .all()
      .slice(before)
      .filter(request => always.test(request.url)).length
    expect(requests).toBeGreaterThan(5)
    for (let nth = 1; nth <= requests; nth++) {
      const ns = `kp-${word}-${nth}`
      const fault = sandbox.host.faults.order({ path: always, nth, times: 1, effect })
      try {
        await run(ns)
      } catch (error) {
        expect(error).toBeInstanceOf(CoeError)
        expect((error as CoeError).message).toMatch(
          /^cannot create it: (place|settings|server): the API server of "host" /,
        )
        expect((error as CoeError).next).toContain(resume)
      }
      expect(fault.hits, `request ${nth}`).toBe(1)
      fault.remove()
      const { steps } = await run(ns)
      expect(steps.map(step => step.result).filter(result => result === 'configured')).toEqual([])
    }
  })
})
