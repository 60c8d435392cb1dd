/** Cluster references: `c2` and `kube:c2` are contexts, `magnum:prod` is what its driver knows by that name. */

import { type KubeAccess, kubeconfigPaths } from '../../config/kubeconfig/kubeconfig.ts'
import { resultOf } from '../../core/concurrency.ts'
import { CoeError, failed, notFound, usage } from '../../core/errors.ts'
import { standaloneStep } from '../../core/next-step.ts'
import { didYouMean, someOf } from '../../core/text.ts'
import type { World } from '../../core/world.ts'
import type { DriverRegistry } from '../../drivers/registry.ts'
import type { ClusterApi } from '../../kube/api/cluster-api.ts'
import type { Standalone } from '../deps.ts'

export interface FoundCluster {
  /** With its prefix where that is needed to find it again: `c2`, `magnum:prod`. */
  reference: string
  /** Without it: what people call the cluster. */
  name: string
  access: KubeAccess
  api: ClusterApi
  /** Which cluster it is, whatever it is called. */
  uid: string
}

const later = new Set(['capi'])

/** @param role completes "… of the federation": `host`, `member`. Only for errors. */
export async function findCluster(deps: Standalone, reference: string, role: string): Promise<FoundCluster> {
  const entered = await enterCluster(deps, reference, role)
  return { ...entered, uid: await entered.api.identity({ signal: deps.call.signal }) }
}

/** The same, and nothing is asked of it yet. */
export async function enterCluster(
  deps: Standalone,
  reference: string,
  role: string,
): Promise<Omit<FoundCluster, 'uid'>> {
  const entered = await findAccess(deps, reference)
  const title = `the API server of ${role} "${entered.reference}"`
  return { ...entered, api: deps.coe.connect(entered.access, { title }) }
}

interface Entered {
  reference: string
  name: string
  access: KubeAccess
}

export async function findAccess(deps: Standalone, reference: string): Promise<Entered> {
  const contexts = await deps.coe.contexts()
  // a context may have any name, ones with a colon too
  if (contexts.includes(reference)) return { reference, name: reference, access: await deps.coe.context(reference) }
  const { prefix, name } = parted(reference)
  const drivers = await deps.drivers.clusters()
  if (prefix !== undefined) {
    const driver = drivers.find(d => d.clusters.prefix === prefix)
    if (!driver) throw unknownPrefix(prefix, reference, drivers, contexts)
    const access = await driver.clusters.find(name)
    const kept = prefix === 'kube' ? name : reference
    if (access) return { reference: kept, name, access }
    throw notFound(`there is no cluster "${name}" ${prefix === 'kube' ? 'among the contexts' : `of "${prefix}:"`}`, {
      ...(prefix === 'kube'
        ? { hint: among(deps, name, contexts) }
        : { next: [standaloneStep('see what there is', 'cluster list')] }),
    })
  }
  const { driver, value } = await firstKnowing(deps, drivers, name, contexts, clusters => clusters.find(name))
  return { reference: `${driver.clusters.prefix}:${name}`, name, access: value }
}

type Drivers = Awaited<ReturnType<DriverRegistry['clusters']>>

/** The driver whose cluster this is. No server is asked where a context or a prefix tells. */
export async function driverOfCluster(
  deps: Standalone,
  reference: string,
): Promise<{ driver: Drivers[number]; name: string }> {
  const contexts = await deps.coe.contexts()
  const { prefix, name } = contexts.includes(reference) ? { prefix: 'kube', name: reference } : parted(reference)
  const drivers = await deps.drivers.clusters()
  if (prefix === undefined) {
    const first = await firstKnowing<unknown>(deps, drivers, name, contexts, async known =>
      known.describe ? known.describe(name) : known.find(name),
    )
    return { driver: first.driver, name }
  }
  const driver = drivers.find(d => d.clusters.prefix === prefix)
  if (driver) return { driver, name }
  throw unknownPrefix(prefix, reference, drivers, contexts)
}

/** Of a name without a prefix. A driver that cannot answer may be the one that has it. */
async function firstKnowing<T>(
  deps: Standalone,
  drivers: Drivers,
  name: string,
  contexts: readonly string[],
  ask: (clusters: Drivers[number]['clusters']) => Promise<T | undefined>,
): Promise<{ driver: Drivers[number]; value: T }> {
  const silent: CoeError[] = []
  for (const driver of drivers) {
    if (driver.clusters.prefix === 'kube' || !driver.clusters.configured) continue
    const found = await resultOf(ask(driver.clusters))
    if (found.ok && found.value) return { driver, value: found.value }
    if (found.ok) continue
    if (!(found.error instanceof CoeError)) throw found.error
    silent.push(found.error)
  }
  if (silent.length > 0) throw notKnown(name, silent, contexts)
  throw notFound(`there is no context "${name}" in the kubeconfig (standalone mode)`, {
    hint: among(deps, name, contexts),
  })
}

export function parted(reference: string): { prefix?: string; name: string } {
  const match = /^([a-z][a-z0-9]*):(?!\/)(.+)$/.exec(reference)
  return match ? { prefix: match[1] as string, name: match[2] as string } : { name: reference }
}

function unknownPrefix(
  prefix: string,
  reference: string,
  drivers: { clusters: { prefix: string } }[],
  contexts: readonly string[],
): CoeError {
  // what looks like a prefix may be part of a name: those of Amazon begin with arn:
  const near = didYouMean(reference, contexts)
  if (near) return notFound(`there is no context "${reference}" in the kubeconfig (standalone mode)`, { hint: near })
  const known = drivers.map(d => `${d.clusters.prefix}:`).join(', ')
  if (later.has(prefix)) {
    return usage(`"${reference}": clusters of Cluster API are not part of this version yet`, {
      hint: `there are: ${known}; a kubeconfig of that cluster makes it a context`,
    })
  }
  return usage(`"${reference}": nothing is known by the prefix "${prefix}:"`, { hint: `there are: ${known}` })
}

function among({ world }: Standalone, name: string, contexts: readonly string[]): string {
  return contexts.length ? (didYouMean(name, contexts) ?? `contexts: ${someOf(contexts)}`) : noContexts(world)
}

/** Where they were looked for. */
export function noContexts(world: World): string {
  const looked = kubeconfigPaths(world).join(', ')
  return looked
    ? `no context is in ${looked}: name another file with KUBECONFIG or --kubeconfig`
    : 'there is no home folder to look for a kubeconfig in: name one with KUBECONFIG or --kubeconfig'
}

/** A cloud that cannot be asked may have it. */
const notKnown = (reference: string, silent: readonly CoeError[], contexts: readonly string[]): CoeError =>
  failed(`there is no context "${reference}" in the kubeconfig, and no cloud could be asked for it (standalone mode)`, {
    hint: [didYouMean(reference, contexts), ...silent.map(error => error.message)].filter(Boolean).join('\n'),
    details: silent[0]?.details,
    cause: silent[0],
  })
