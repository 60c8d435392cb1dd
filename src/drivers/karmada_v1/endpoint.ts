/** Waits for the new API at the address that its users will use, or at another address if that one does not answer. */

import type { InlineAccess } from '../../kube/access/connect.ts'
import type { ClusterApi } from '../../kube/api/cluster-api.ts'
import type { PlanCluster, Step } from '../../plan/step.ts'
import { urlOf } from './create/address.ts'
import type { CreateOutputs } from './create/create.ts'
import { apiAnswers } from './create/verify.ts'
import { consistencyCheck } from './lost-data.ts'
import { adminSecret } from './names.ts'
import type { Site } from './templates/site.ts'

interface EndpointSettings {
  federation: string
  connect(access: InlineAccess, title: string): ClusterApi
  site: Site
}

/** Other addresses are tried only after this many failures: while the API starts, none of them answers. */
const missesBeforeOthers = 3

/** The cluster `federation` of the plan, and the step that waits until it answers. */
export function endpoint({ connect, federation, site }: EndpointSettings): {
  cluster: PlanCluster<CreateOutputs>
  step: Step<CreateOutputs>
} {
  const enter = ({ ca, credentials }: CreateOutputs, server: string) => {
    const admin = credentials[adminSecret]
    const access = { name: federation, server, ca, cert: admin?.['client.crt'], key: admin?.['client.key'] }
    return connect(access, `the API of federation "${federation}"`)
  }
  let current: ClusterApi | undefined
  let misses = 0
  const isConsistent = consistencyCheck(site)

  async function elsewhere(outputs: CreateOutputs, signal: AbortSignal): Promise<object | undefined> {
    const { port, otherAddresses } = outputs
    const answering = async (address: string): Promise<ClusterApi> => {
      const api = enter(outputs, urlOf({ address, port }))
      const { status } = await api.raw({ method: 'GET', path: '/readyz', signal, timeoutMs: 5_000 })
      if (status !== 200) throw new Error(`HTTP ${status}`)
      return api
    }
    try {
      current = await Promise.any(otherAddresses.map(answering))
      return {}
    } catch {
      signal.throwIfAborted()
      return undefined
    }
  }

  return {
    cluster: {
      title: `federation "${federation}"`,
      allOurs: true,
      async connect(outputs) {
        const first = enter(outputs, outputs.server)
        // steps that already hold the client switch to the address that answered
        return new Proxy(first, { get: (_, key) => Reflect.get(current ?? first, key) })
      },
    },
    step: {
      id: 'endpoint',
      title: "API answers at its users' address",

      needs: ['api-server'],
      on: 'federation',
      async ready(outputs, tools) {
        const answered = await apiAnswers(outputs.server, tools)
        if (answered) return (await isConsistent(tools)) ? answered : undefined
        return ++misses < missesBeforeOthers ? undefined : elsewhere(outputs, tools.signal)
      },
      timeoutMs: 120_000,
      hint: 'is the address reachable from this machine? --advertise-address sets another',
    },
  }
}
