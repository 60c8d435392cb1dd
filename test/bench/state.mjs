// How large the records of a federation are on its host: read by a client of this file's own, with the kubeconfig's certificate.
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { parse } from 'yaml'

/** @returns bytes of the federation's record, and of its members' in sum */
export async function stateOf(kubeconfig, namespace) {
  const config = parse(readFileSync(kubeconfig, 'utf8'))
  const find = (kind, name) => config[`${kind}s`].find(entry => entry.name === name)[kind]
  const { cluster, user } = find('context', 'host')
  const [server, person] = [find('cluster', cluster), find('user', user)]
  const { items } = await get(`${server.server}/api/v1/namespaces/${namespace}/configmaps`, {
    ca: decoded(server['certificate-authority-data']),
    cert: decoded(person['client-certificate-data']),
    key: decoded(person['client-key-data']),
  })
  const sizeOf = kind =>
    items
      .filter(item => item.metadata.labels?.['coe/record'] === kind)
      .reduce((sum, { data }) => sum + JSON.stringify(data).length, 0)
  return { record: sizeOf('federation'), members: sizeOf('member') }
}

const decoded = text => Buffer.from(text, 'base64')

const get = (url, tls) =>
  new Promise((resolve, reject) => {
    const asked = request(url, { ...tls, agent: false }, answer => {
      const chunks = []
      answer.on('data', chunk => chunks.push(chunk))
      answer.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString('utf8'))))
    })
    asked.once('error', reject)
    asked.end()
  })
