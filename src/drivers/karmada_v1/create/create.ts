/** The plan that creates a federation's control plane, or repairs an existing one. */
import { type CoeStep, extended, optionArgs } from '../../../core/next-step.ts'
import type { World } from '../../../core/world.ts'
import type { InlineAccess } from '../../../kube/access/connect.ts'
import type { ClusterApi } from '../../../kube/api/cluster-api.ts'
import { base64, type KubeObject } from '../../../kube/api/object.ts'
import type { Owner, Plan, Step } from '../../../plan/step.ts'
import type { CertificateNeeds } from '../certificates/certificate-table.ts'
import { type Credentials, credentialsFor } from '../certificates/certificates.ts'
import { type AuthorityChange, changeSteps, checksumsOf, refuseLost } from '../certificates/new-authorities.ts'
import { readSecrets, sameCredentials, secretObjects, withAddresses } from '../certificates/secrets.ts'
import { endpoint } from '../endpoint.ts'
import { adminName, authoritiesSecret } from '../names.ts'
import { requireMajority } from '../nodes-not-ready.ts'
import { aggregatedApiServer, aggregation } from '../templates/aggregated-api-server.ts'
import { apiServer } from '../templates/api-server.ts'
import { etcd } from '../templates/etcd.ts'
import { networkPolicies, networkPolicyRefs } from '../templates/network-policy.ts'
import { namespaces, rights } from '../templates/rights.ts'
import { services } from '../templates/services.ts'
import type { Checksums, Site } from '../templates/site.ts'
import { webhookUrl } from '../templates/webhook.ts'
import { replicas } from '../templates/workload.ts'
import { type Address, findAddress, urlOf } from './address.ts'
import { controllers } from './create-controllers.ts'
import { parseDefinitions, withConversion } from './definitions.ts'
import { definitionsNote, definitionsStand, imprintOf } from './definitions-note.ts'
import { etcdMissing, restartCrashed } from './etcd-first.ts'
import { toReplace } from './storage-change.ts'
import { runAsRoot, storeUser } from './store-user.ts'
import type { TarEntry } from './tar.ts'
import { verification } from './verify.ts'

export type CreateOutputs = Address & {
  /** The API's URL for users: `https://address:port`. */
  server: string
  /** The certificate of the API's authority as PEM; `caBundle` is the same in base64. */
  ca: string
  caBundle: string
  checksums: Checksums
  credentials: Credentials
  /** The Secrets of the two phases in which etcd changes to a new authority: see `changeSteps`. */
  trusting?: Credentials
  issuing?: Credentials
  /** etcd's StatefulSet before this run. */
  store?: KubeObject | undefined
  /** etcd runs as root, because only root can write to its volume. */
  storeAsRoot?: boolean
}

export interface CreateSettings {
  site: Site
  host: ClusterApi
  hostTitle: string
  federation: string
  owner: Owner
  definitions: readonly TarEntry[]
  world: World
  connect(access: InlineAccess, title: string): ClusterApi
  /** The command that resumes this creation. Hints add an option to it. */
  resume: CoeStep
  authorities?: AuthorityChange
  /** The federation exists and works without the nodes that are not Ready. */
  nodesNotReady?: boolean
  newNamespaces?: ReadonlySet<string> | undefined
}

type CreateStep = Step<CreateOutputs>
/** The definitions of Karmada's kinds, parsed on first use. */
interface Definitions {
  all(): Promise<KubeObject[]>
  /** This run creates the API, so it will need the definitions. It can parse them while the API starts. */
  needed: boolean
}

/** The steps that wait for pods. */
const workloads = [
  'etcd',
  'api-server',
  'aggregated-api-server',
  'kube-controllers',
  'scheduler',
  'webhook',
  'controllers',
]

const minutes = (n: number) => n * 60_000
/** Some clouds need long to create a volume, and pulling images is slow on some networks. */
const storeMs = minutes(20)

export function createPlan(settings: CreateSettings): Plan<CreateOutputs> {
  const { federation, owner, newNamespaces } = settings
  let parsing: Promise<KubeObject[]> | undefined
  const all = () => {
    parsing ??= parseDefinitions(settings.definitions)
    parsing.catch(() => {}) // callers that await the promise get the error
    return parsing
  }
  const definitions: Definitions = { all, needed: false }
  const entered = endpoint(settings)
  const steps = [
    ...foundation(settings, definitions),
    ...storeAndApi(settings, definitions, entered.step),
    ...inTheApi(settings, definitions),
    ...controllers(settings.site),
    verification(),
  ]
  return {
    title: `create federation "${federation}"`,
    steps: settings.nodesNotReady ? requireMajority(steps, workloads) : steps,
    clusters: {
      host: { title: settings.hostTitle, connect: async () => settings.host },
      federation: entered.cluster,
    },
    entry: entered.step.id,
    owner,
    ...(newNamespaces ? { newNamespaces } : {}),
  }
}

/** The steps before any pod starts: Services, certificates and network policies. */
function foundation(settings: CreateSettings, definitions: Definitions): CreateStep[] {
  const { site, world, resume, federation } = settings
  const { expose, ha } = site.settings
  const balanced = expose === 'loadbalancer'
  const { networkPolicy } = site.settings
  let before: Credentials | undefined
  const issued = async (outputs: CreateOutputs, before: Credentials): Promise<Credentials> => {
    const needs: CertificateNeeds = {
      ...outputs,
      namespace: site.namespace,
      members: replicas('etcd', ha),
      estimators: site.settings.schedulerEstimator,
    }
    refuseLost(before, site, world.clock.now(), { federation, resume, ...settings.authorities })
    const { credentials } = await credentialsFor(needs, before, world.clock.now())
    return withAddresses(credentials, site, outputs.server)
  }
  const issue = async (
    outputs: CreateOutputs,
    host: ClusterApi,
    signal: AbortSignal,
  ): Promise<Partial<CreateOutputs>> => {
    before ??= await readSecrets(host, site, signal)
    return outputsOf(await issued(outputs, before))
  }
  return [
    {
      id: 'expose',
      title: balanced ? 'services, with a load balancer for the API' : 'services, with a node port for the API',
      gives: ['address', 'port', 'otherAddresses', 'server'],
      want: () => services(site),
      awaitObjects: false, // with --advertise-address, the address of the load balancer is not needed
      async ready(_, { api: host, signal, tell }) {
        const found = await findAddress(site, host, signal)
        if (!found) tell('the host has not assigned an address to the load balancer yet')
        return found && { ...found, server: urlOf(found) }
      },
      timeoutMs: minutes(5),
      ...(balanced
        ? {
            next: [
              extended(
                resume,
                'if this host has no load balancer provider, use node ports',
                ...optionArgs('expose', 'nodeport'),
              ),
            ],
          }
        : {}),
    },
    ...(settings.authorities?.inEtcd ? changeSteps({ site, issue: issued }) : []),
    {
      id: 'certificates',
      title: 'certificate authorities, and a certificate for each component',
      needs: ['expose', ...(settings.authorities?.inEtcd ? ['new-certificates'] : [])],
      gives: ['ca', 'caBundle', 'checksums', 'credentials'],
      secrets: ['credentials'],
      async alreadyDone(outputs, { api: host, signal }) {
        const wanted = await issue(outputs, host, signal)
        return before && sameCredentials(wanted.credentials as Credentials, before, site) ? wanted : undefined
      },
      async act(outputs, { api: host, signal, apply }) {
        definitions.needed = true
        const made = await issue(outputs, host, signal)
        // first the authorities' keys: an interrupted run must not leave certificates whose issuer is lost
        for (const secret of secretObjects(made.credentials as Credentials, site).slice(0, 1)) await apply(secret)
        return made
      },
      want: ({ credentials }) => secretObjects(credentials, site),
    },
    ...(networkPolicy === undefined ? [] : [policies(site, networkPolicy)]),
  ]
}

/** Runs before the pods start. For federations that never had policies the step is left out. */
const policies = (site: Site, wanted: boolean): CreateStep =>
  wanted
    ? { id: 'network-policies', title: 'restricted access to the components', want: () => networkPolicies(site) }
    : { id: 'network-policies', title: 'policies removed', unwanted: () => networkPolicyRefs(site) }

function outputsOf(credentials: Credentials): Partial<CreateOutputs> {
  const ca = credentials[authoritiesSecret]?.['ca.crt'] as string
  return { credentials, ca, caBundle: base64(ca), checksums: checksumsOf(credentials) }
}

function storeAndApi({ site, resume }: CreateSettings, definitions: Definitions, endpoint: CreateStep): CreateStep[] {
  const { storage, storageSize, ha, etcdUser } = site.settings
  const where = storage === 'pvc' ? `${storageSize} on a persistent volume` : 'data in its pod'
  return [
    {
      id: 'etcd',
      title: ha ? `three members, ${where} each` : `one member, ${where}`,
      needs: ['certificates'],
      act: (_, tools) => storeUser(site, tools),
      readOnly: true,
      replace: ({ checksums, store }, tools) => toReplace(site, store, etcd(site, checksums)[0], tools),
      want: ({ checksums, storeAsRoot }) => etcd(site, checksums, storeAsRoot === true),
      mend: ({ checksums }, trouble, tools) => runAsRoot(site, etcd(site, checksums, true), trouble, tools),
      timeoutMs: storeMs,
      ...(etcdUser === 'unprivileged'
        ? {
            next: [
              extended(
                resume,
                'if its log says "permission denied", its volume belongs to root; then run',
                ...optionArgs('etcd-user', 'root'),
              ),
            ],
          }
        : {}),
    },
    {
      // at the same time as etcd: the API server retries until etcd answers, and is restarted if it gives up
      id: 'api-server',
      title: "the federation's API server",
      needs: ['certificates'],
      awaits: {
        missing: tools => etcdMissing(site, tools),
        arrived: tools => restartCrashed('karmada-apiserver', site, tools),
      },
      want: ({ checksums }) => {
        if (definitions.needed) void definitions.all()
        return apiServer(site, checksums)
      },
      timeoutMs: storeMs + minutes(5),
    },
    endpoint,
  ]
}

function inTheApi({ site, definitions: archive }: CreateSettings, definitions: Definitions): CreateStep[] {
  const conversion = (caBundle: string) => ({ url: webhookUrl('convert'), caBundle })
  const imprint = (caBundle: string) => imprintOf(archive, conversion(caBundle), site.labels)
  return [
    {
      id: 'rights',
      title: 'namespaces and roles in the API',
      needs: ['endpoint'],
      on: 'federation',
      want: () => [...namespaces(), ...rights(adminName)],
    },
    {
      id: 'definitions',
      title: `${archive.length} kinds of Karmada ${site.settings.engine.version}`,
      needs: ['endpoint'],
      on: 'federation',
      alreadyDone: async ({ caBundle }, { api, signal }) =>
        (await definitionsStand(api, imprint(caBundle), signal)) ? {} : undefined,
      want: async ({ caBundle }) => withConversion(await definitions.all(), conversion(caBundle)),
      async ready({ caBundle }, tools, applied) {
        await tools.apply(definitionsNote(imprint(caBundle), applied))
        return {}
      },
      timeoutMs: minutes(2),
    },
    {
      id: 'aggregated-api-server',
      title: 'API server for the kind Cluster',
      needs: ['endpoint'],
      want: ({ checksums }) => aggregatedApiServer(site, checksums),
      timeoutMs: minutes(5),
    },
    {
      // not earlier: the API checks a new API service at once, and again only seconds later
      id: 'clusters',
      title: 'kind Cluster served by the API',
      needs: ['aggregated-api-server', 'rights'],
      on: 'federation',
      want: ({ caBundle }) => aggregation(caBundle),
      timeoutMs: minutes(2),
    },
  ]
}
