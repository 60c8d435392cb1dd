import { createPrivateKey } from 'node:crypto'
import { garbageCollector } from '../kube/controllers/garbage.ts'
import type { Controller } from '../kube/controllers/host.ts'
import { runControllers } from '../kube/controllers/host.ts'
import { namespaceController } from '../kube/controllers/namespaces.ts'
import { serviceAccountTokens } from '../kube/controllers/service-account-tokens.ts'
import { karmadaControllers } from './controllers/index.ts'
import { schedulerController } from './controllers/scheduler.ts'
import { type FederationApi, lead } from './federation-api.ts'
import { checkKubeconfig } from './kubeconfig.ts'
import { bootstrapIds } from './names.ts'
import { NotYet, type ProcessContext, type Program, type Started } from './process.ts'
import { pairProblem } from './trust.ts'

/** The API whose kubeconfig was just checked: the one in the same namespace of the host. */
function apiOf({ federations, namespace }: ProcessContext): FederationApi {
  for (const api of federations.apis.values()) if (api.namespace === namespace) return api
  throw new NotYet('the API server has gone')
}

/** Runs controllers in the leading pod of a component, as long as the API stays the same. */
function runLed(context: ProcessContext, component: string, controllers: Controller[]): Started {
  const { clock, timings, uid, network } = context
  const api = apiOf(context)
  const resign = lead(
    api,
    component,
    uid,
    () => runControllers(api.plane, timings, controllers),
    attempt => network.onChange(() => void clock.after(0, attempt)),
  )
  return { stop: resign }
}

/** kube-controller-manager with the few controllers that a Karmada API needs. */
export const kubeControllerManager: Program = async context => {
  const { view } = context
  const certificate = view.fileOf('cluster-signing-cert-file')
  const key = view.fileOf('cluster-signing-key-file')
  const problem = certificate && key ? pairProblem(certificate, key) : undefined
  if (problem) throw new Error(`error reading CA key pair: ${problem}`)
  const accountKey = view.fileOf('service-account-private-key-file')
  if (accountKey !== undefined) createPrivateKey(accountKey)
  await checkKubeconfig(context, 'kubeconfig')
  const api = apiOf(context)
  const rootCa = view.fileOf('root-ca-file')
  if (rootCa) api.plane.caCertificate = rootCa
  const wanted = view.flags('controllers')
  const all = wanted.length === 0 || wanted.includes('*')
  const choose = (name: string, controller: Controller) => (all || wanted.includes(name) ? [controller] : [])
  const led = runLed(context, 'kube-controller-manager', [
    ...choose('namespace', namespaceController),
    ...choose('garbagecollector', garbageCollector),
    ...(accountKey ? choose('serviceaccount-token', serviceAccountTokens(api.signer)) : []),
  ])
  return listenOn(context, led, [Number(view.flag('secure-port') ?? 10257)])
}

export const karmadaScheduler: Program = async context => {
  await checkKubeconfig(context, 'kubeconfig')
  requireTypes(context, [bootstrapIds.bindings])
  return listenOn(context, runLed(context, 'karmada-scheduler', [schedulerController]), [10351])
}

/** Does not start before its CRDs exist. */
export const karmadaControllerManager: Program = async context => {
  await checkKubeconfig(context, 'kubeconfig')
  requireTypes(context, [bootstrapIds.works, bootstrapIds.bindings, bootstrapIds.policies])
  return listenOn(context, runLed(context, 'karmada-controller-manager', karmadaControllers()), [10357])
}

function requireTypes(context: ProcessContext, ids: string[]): void {
  const { plane } = apiOf(context)
  const missing = ids.find(id => !plane.types.byId(id))
  if (missing) throw new NotYet(`no matches for kind in ${missing}: the CRD is not there`)
}

function listenOn({ network, uid }: ProcessContext, led: Started, ports: number[]): Started {
  for (const port of ports) network.open(uid, port, { host: 'component', port })
  return {
    stop() {
      led.stop()
      network.close(uid)
    },
  }
}
