/** What a user of the federation does with any Kubernetes client: put a workload in, and find it on the members. */
import { readFile } from 'node:fs/promises'
import { request } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'yaml'

const decoded = text => text && Buffer.from(text, 'base64')

async function clientOf(context) {
  const config = parse(await readFile(process.env.KUBECONFIG, 'utf8'))
  const named = (list, name) => list.find(entry => entry.name === name)
  const { cluster, user } = named(config.contexts, context).context
  const { server, 'certificate-authority-data': ca } = named(config.clusters, cluster).cluster
  const { 'client-certificate-data': cert, 'client-key-data': key, token } = named(config.users, user).user
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }
  const tls = { ca: decoded(ca), cert: decoded(cert), key: decoded(key) }
  return (method, path, body) =>
    new Promise((resolve, reject) => {
      const call = request(new URL(path, server), { method, headers, ...tls }, async answer => {
        const parts = []
        for await (const part of answer) parts.push(part)
        const text = Buffer.concat(parts).toString()
        if (answer.statusCode < 300) resolve(JSON.parse(text))
        else if (answer.statusCode === 404 && method === 'GET') resolve(undefined)
        else reject(new Error(`${method} ${path} at ${context}: HTTP ${answer.statusCode} ${text.slice(0, 200)}`))
      })
      call.on('error', reject)
      call.end(body && JSON.stringify(body))
    })
}

const deployments = '/apis/apps/v1/namespaces/default/deployments'
const policies = '/apis/policy.karmada.io/v1alpha1/namespaces/default/propagationpolicies'

const labels = { app: 'web' }
const web = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels },
  spec: {
    replicas: 2,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx' }] } },
  },
}

const policy = members => ({
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  metadata: { name: 'web' },
  spec: {
    resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }],
    placement: { clusterAffinity: { clusterNames: members } },
  },
})

export const putWorkload = (federation, members) => async say => {
  const ask = await clientOf(federation)
  await ask('POST', deployments, web)
  await ask('POST', policies, policy(members))
  say(
    `context ${federation}: Deployment web created, and a PropagationPolicy that sends it to ${members.join(' and ')}`,
  )
}

export const seeWorkload = members => async say => {
  for (const member of members) {
    const ask = await clientOf(member)
    const ready = await untilReady(() => ask('GET', `${deployments}/web`))
    say(`context ${member}: Deployment web, ${ready} of ${web.spec.replicas} ready`)
  }
}

async function untilReady(look) {
  for (let tries = 0; tries < 100; tries++) {
    const ready = (await look())?.status?.readyReplicas
    if (ready === web.spec.replicas) return ready
    await sleep(100)
  }
  throw new Error('the workload did not get ready within 10 seconds')
}
