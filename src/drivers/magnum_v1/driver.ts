/** Finds Magnum's clusters by name, and accesses them with a certificate that Magnum signs for each run. */
import { awaitAll } from '../../core/concurrency.ts'
import { conflict, usage } from '../../core/errors.ts'
import { nextStep } from '../../core/next-step.ts'
import { type InlineAccess, inlineAccess } from '../../kube/access/connect.ts'
import type { Cluster } from '../../model/cluster.ts'
import { checkAddress, isHttps, templateOf } from '../../openstack/cluster-address.ts'
import { getCertificate, signCertificate } from '../../openstack/magnum-api/certificates.ts'
import { getCluster, listClusters } from '../../openstack/magnum-api/clusters.ts'
import type { Service } from '../../openstack/service.ts'
import { generateKey, privateKeyPem } from '../../pki/keys.ts'
import { createRequest } from '../../pki/requests.ts'
import type { Driver, DriverApi } from '../driver-api.ts'
import { facts } from './version.ts'

/** The subject that has the administrator's role in the clusters. */
const administrator = [['CN', 'admin'] as const, ['O', 'system:masters'] as const]

export default function magnum(coe: DriverApi): Driver {
  const service = async (): Promise<Service> => {
    if (!coe.cloud) {
      throw usage('a "magnum:" cluster needs a cloud, but none is configured', {
        hint: 'name one: --os-cloud NAME (OS_CLOUD), or source an openrc file',
      })
    }
    return (await coe.cloud()).magnum()
  }
  return {
    ...facts,
    clusters: {
      prefix: 'magnum',
      configured: coe.cloud !== undefined,
      list: async () =>
        (await listClusters(await service(), {}, false)).map(({ name, uuid, status }) => ({
          name: name ?? uuid,
          ...(status ? { detail: status } : {}),
        })),
      describe: async name => named(await service(), name),
      async changedBy(name, { words, args }) {
        const cloud = (await coe.cloud?.())?.cloud.name ?? 'NAME'
        // a cloud that options alone define has no name, and each next step repeats those options
        const named = cloud === 'options' ? [] : [{ option: 'os-cloud', value: cloud }]
        return { next: [{ why: 'use Magnum mode', words, args: [...named, name, ...args] }] }
      },
      async find(name) {
        const api = await service()
        const cluster = await named(api, name)
        if (!cluster) return undefined
        const access = await enter(api, cluster)
        if (access.key) coe.addSecret(access.key)
        return inlineAccess({ ...access, name: `magnum:${name}` })
      },
    },
  }
}

/** Refuses to choose between clusters of the same name, as Magnum does. */
async function named(api: Service, name: string): Promise<Cluster | undefined> {
  const all = await listClusters(api, {}, false)
  const [found, another] = all.filter(cluster => cluster.uuid === name || cluster.name === name)
  if (another) {
    throw conflict(`several clusters of this cloud have the name "${name}"`, {
      hint: `use the uuid: ${all
        .filter(c => c.name === name)
        .map(c => `magnum:${c.uuid}`)
        .join(', ')}`,
    })
  }
  return found && getCluster(api, found.uuid)
}

async function enter(api: Service, cluster: Cluster): Promise<InlineAccess> {
  const { uuid, api_address: server, status } = cluster
  if (!server) {
    throw conflict(`cluster "${cluster.name}" has no API address yet: it is ${status}`, {
      next: [nextStep('see more', 'cluster show', cluster.name ?? uuid)],
    })
  }
  const name = cluster.name ?? uuid
  if (!isHttps(server)) {
    checkAddress(cluster, server, await templateOf(api, cluster))
    return { name, server }
  }
  const { privateKey } = await generateKey('rsa-2048') // some releases of Magnum sign only RSA keys
  const [ca, certificate] = await awaitAll([
    getCertificate(api, uuid),
    signCertificate(api, uuid, createRequest(administrator, privateKey)),
  ])
  return { name, server, ca: ca.pem, cert: certificate.pem, key: privateKeyPem(privateKey) }
}
