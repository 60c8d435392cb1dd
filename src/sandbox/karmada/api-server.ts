import { createPrivateKey, createPublicKey } from 'node:crypto'
import type { Clock } from '../../core/world.ts'
import type { Faults } from '../faults.ts'
import { createTokenSigner } from '../kube/access/tokens.ts'
import { bootstrap } from '../kube/bootstrap.ts'
import { changesState, delayed } from '../kube/cluster.ts'
import { apiServiceController, crdController } from '../kube/controllers/extensions.ts'
import { runControllers } from '../kube/controllers/host.ts'
import { createControlPlane } from '../kube/plane.ts'
import { restHandler } from '../kube/rest/handler.ts'
import { snapshotOf } from '../kube/snapshot.ts'
import type { Store } from '../kube/store.ts'
import { listen } from '../listener.ts'
import type { RequestLog } from '../log.ts'
import { aggregationProbe, serveClusters } from './aggregated.ts'
import { connectEtcd, etcdOf } from './etcd.ts'
import type { FederationApi } from './federation-api.ts'
import type { PodView } from './pod-files.ts'
import type { ProcessContext, Program } from './process.ts'
import { proxyToMember } from './proxy.ts'
import { pairProblem } from './trust.ts'
import { withWatchCache } from './watch-cache.ts'
import { webhookCaller } from './webhook.ts'

export interface ApiServerOptions {
  wireClock: Clock
  log: RequestLog
  faults: Faults
  latencyMs?: number | undefined
}

/** kube-apiserver for a Karmada API: a real TLS socket with the certificates of its flags. */
export const apiServer =
  ({ wireClock, log, faults, latencyMs }: ApiServerOptions): Program =>
  async context => {
    const { view, network, federations, uid, namespace, clock } = context
    const required = (flag: string): string => {
      const text = view.fileOf(flag)
      if (text === undefined) throw new Error(`--${flag} must be specified`)
      return text
    }
    const certificate = required('tls-cert-file')
    const key = required('tls-private-key-file')
    const clientCa = required('client-ca-file')
    const problem = pairProblem(certificate, key)
    if (problem) throw new Error(`failed to initialize the server: ${problem}`)
    for (const flag of ['requestheader-client-ca-file', 'proxy-client-cert-file', 'proxy-client-key-file'])
      view.fileOf(flag)
    checkAudit(view)
    const privateKey = createPrivateKey(required('service-account-signing-key-file'))
    const keyFiles = view.flags('service-account-key-file').map(view.file)
    const store = connectEtcd(context)
    const api =
      federations.apis.get(store) ??
      openApi(
        context,
        store,
        wireClock,
        createTokenSigner(
          { privateKey, publicKeys: [createPublicKey(privateKey), ...keyFiles.map(pem => createPublicKey(pem))] },
          view.flag('service-account-issuer'),
        ),
        clientCa,
      )
    const { plane, signer } = api
    const listener = await listen({
      name: `karmada:${namespace}`,
      handler: delayed(restHandler({ plane, signer, wireClock, proxy: proxyToMember }), latencyMs ?? 0, wireClock),
      tls: {
        key,
        cert: certificate,
        clientCa,
        ...(view.flag('tls-min-version') === 'VersionTLS13' ? { minVersion: 'TLSv1.3' as const } : {}),
      },
      log,
      faults,
      wireClock,
      beforeEach: () => clock.runDue(),
      changes: changesState,
    })
    api.listeners.set(uid, listener)
    network.open(uid, Number(view.flag('secure-port') ?? 6443), { host: '127.0.0.1', port: listener.port })
    return {
      stop() {
        network.close(uid)
        api.listeners.delete(uid)
        void listener.close()
        if (api.listeners.size > 0) return
        api.stopControllers()
        federations.apis.delete(store)
      },
    }
  }

/** The real server does not start with an audit policy that is unreadable or empty. */
function checkAudit(view: PodView): void {
  const text = view.fileOf('audit-policy-file')
  if (text === undefined) return
  const path = view.flag('audit-policy-file')
  const policy = JSON.parse(text)
  if (policy.kind !== 'Policy' || policy.apiVersion !== 'audit.k8s.io/v1') {
    throw new Error(`loading audit policy file: failed decoding: from file ${path}`)
  }
  if (!policy.rules?.length)
    throw new Error(`loading audit policy file: loaded illegal policy with 0 rules from file ${path}`)
}

function openApi(
  context: ProcessContext,
  store: Store,
  wireClock: Clock,
  signer: FederationApi['signer'],
  caCertificate: string,
): FederationApi {
  const { federations, clock, namespace, timings, view, network } = context
  const plane = createControlPlane({
    name: `karmada ${namespace}`,
    clock,
    wallNow: () => wireClock.now(),
    caCertificate,
    store: withWatchCache(store, () => etcdOf(context)),
    version: /:(v\d+\.\d+\.\d+)/.exec(view.image)?.[1],
  })
  plane.callWebhook = webhookCaller(context)
  serveClusters(plane)
  bootstrap(plane)
  const api: FederationApi = {
    namespace,
    plane,
    signer,
    listeners: new Map(),
    leaders: new Map(),
    stopControllers: () => {},
    snapshot: () => snapshotOf(store),
  }
  federations.apis.set(store, api)
  // the availability of the aggregated API changes with the pods and Services of the host
  const recheck = (onChange: () => void) => {
    const unwatch = context.plane.store.subscribe(({ id }) => {
      if (id === 'pods' || id === 'services') onChange()
    })
    const unlisten = network.onChange(onChange)
    return () => {
      unwatch()
      unlisten()
    }
  }
  api.stopControllers = runControllers(plane, timings, [
    crdController,
    apiServiceController(aggregationProbe(context, plane), recheck),
  ])
  return api
}
