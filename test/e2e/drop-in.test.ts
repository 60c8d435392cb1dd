/**
 * The same environment and the same clouds.yaml for the stock client and for coe, on the simulated cloud: who gets in here gets in there.
 * Where they differ on purpose, the id of the difference stands beside it. Needs an `openstack` client (or OPENSTACK_CLIENT), and no cloud.
 */
import { execFile } from 'node:child_process'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startCloud, type TestCloud } from '../support/cloud.ts'
import { runCoe } from '../support/run.ts'

const run = promisify(execFile)
const client = process.env.OPENSTACK_CLIENT ?? 'openstack'
const present = await run(client, ['coe', 'cluster', 'list', '--help']).then(
  () => true,
  () => false,
)

type Ends = 'both' | 'neither' | 'coe' | 'stock'

interface Case {
  /** Of the cloud `c`, as flow YAML; `…` stands for its login. Without it there is no clouds.yaml. */
  cloud?: string
  /** The whole file, where one cloud is not enough. */
  file?: string
  /** Environment; CA stands for the file of the simulated cloud's authority. */
  env?: Record<string, string>
  options?: string
  /** Who gets the list. */
  gets: Ends
}

const openrc = { OS_CLOUD: '' }
const cases: Record<string, Case> = {
  'no authority': { cloud: '…', gets: 'neither' },
  'cacert in the file': { cloud: '…, cacert: CA', gets: 'both' },
  REQUESTS_CA_BUNDLE: { cloud: '…', env: { REQUESTS_CA_BUNDLE: 'CA' }, gets: 'both' },
  CURL_CA_BUNDLE: { cloud: '…', env: { CURL_CA_BUNDLE: 'CA' }, gets: 'both' },
  'a folder of authorities': { cloud: '…', env: { REQUESTS_CA_BUNDLE: 'FOLDER' }, gets: 'both' },
  'a bundle that is not there': { cloud: '…', env: { REQUESTS_CA_BUNDLE: '/nowhere' }, gets: 'neither' },
  'cacert before the bundle': { cloud: '…, cacert: CA', env: { REQUESTS_CA_BUNDLE: '/nowhere' }, gets: 'both' },
  // difference: tls-store
  SSL_CERT_FILE: { cloud: '…', env: { SSL_CERT_FILE: 'CA' }, gets: 'coe' },
  'insecure: true': { cloud: '…, insecure: true', gets: 'both' },
  'insecure: yes': { cloud: '…, insecure: yes', gets: 'both' },
  "insecure: 'yes'": { cloud: "…, insecure: 'yes'", gets: 'neither' },
  "insecure: 'True'": { cloud: "…, insecure: 'True'", gets: 'both' },
  'insecure: 1': { cloud: '…, insecure: 1', gets: 'neither' },
  'verify: no': { cloud: '…, verify: no', gets: 'both' },
  "verify: 'False'": { cloud: "…, verify: 'False'", gets: 'neither' },
  'OS_INSECURE beside a cloud': { cloud: '…', env: { OS_INSECURE: 'true' }, gets: 'neither' },
  'OS_INSECURE=true in an openrc': { env: { ...openrc, OS_INSECURE: 'true' }, gets: 'neither' },
  'OS_INSECURE=1 where the environment is named': { env: { OS_CLOUD: 'envvars', OS_INSECURE: '1' }, gets: 'neither' },
  'OS_INSECURE=true where the environment is named': {
    env: { OS_CLOUD: 'envvars', OS_INSECURE: 'true' },
    gets: 'both',
  },
  'OS_CACERT in an openrc': { env: { ...openrc, OS_CACERT: 'CA' }, gets: 'both' },
  '--os-cacert': { cloud: '…', options: '--os-cacert CA', gets: 'both' },
  '--insecure': { cloud: '…', options: '--insecure', gets: 'both' },
  "a profile of one's own": { cloud: '{profile: mine, cacert: CA}', gets: 'both' },
  'an interface that the catalog has': { cloud: '…, cacert: CA, interface: internal', gets: 'both' },
  'a region that it has not': { cloud: '…, cacert: CA, region_name: Nowhere', gets: 'neither' },
  'OS_ENDPOINT_TYPE alone': { env: { ...openrc, OS_CACERT: 'CA', OS_ENDPOINT_TYPE: 'nonsense' }, gets: 'both' },
  'OS_ENDPOINT_TYPE beside a cloud': { cloud: '…, cacert: CA', env: { OS_ENDPOINT_TYPE: 'nonsense' }, gets: 'both' },
  'endpoint_type beside the interface of a region': {
    cloud: '…, cacert: CA, endpoint_type: public, regions: [{name: RegionOne, values: {interface: nonsense}}]',
    gets: 'both',
  },
  'many aliases': { file: 'ALIASES', gets: 'both' },
  'a key that another cloud has twice': {
    file: 'x: &l {…}\nclouds: {c: {…, cacert: CA}, d: {a: 1, a: 2}}',
    gets: 'both',
  },
  // difference: repeated-keys
  'a key that this cloud has twice': { cloud: '…, cacert: CA, cacert: CA', gets: 'stock' },
  'lines that end with carriage returns': { file: 'clouds:\r  c: {…, cacert: CA}\r', gets: 'both' },
  // difference: default-domain
  'no domain, and no identity_api_version': { cloud: 'NODOMAIN, cacert: CA', gets: 'coe' },
  'no domain, and identity_api_version 3': { cloud: 'NODOMAIN, cacert: CA, identity_api_version: 3', gets: 'both' },
  // difference: only-cloud
  'the only cloud, not named': { cloud: '…, cacert: CA', env: openrc, gets: 'coe' },
}

describe.skipIf(!present)(
  `the stock client and coe get in the same way${present ? '' : ` (no "${client}" client)`}`,
  () => {
    let cloud: TestCloud
    let home: string
    let login: Record<string, string>

    beforeAll(async () => {
      cloud = await startCloud({ clusters: 1 })
      home = cloud.home
      login = Object.fromEntries(
        Object.entries(cloud.env).filter(([key]) => key.startsWith('OS_') && key !== 'OS_CACERT'),
      )
      await mkdir(join(home, 'certs'))
      await copyFile(cloud.caFile, join(home, 'certs', 'ca.pem'))
      await run('openssl', ['rehash', join(home, 'certs')])
      const { auth } = entries()
      await writeFile(join(home, 'clouds-public.yaml'), JSON.stringify({ 'public-clouds': { mine: { auth } } }))
    })
    afterAll(() => cloud.close())

    const entries = () => {
      const { OS_AUTH_URL, OS_USERNAME, OS_PASSWORD, OS_PROJECT_NAME } = login
      const bare = {
        auth_url: OS_AUTH_URL,
        username: OS_USERNAME,
        password: OS_PASSWORD,
        project_name: OS_PROJECT_NAME,
      }
      return { bare, auth: { ...bare, user_domain_id: 'default', project_domain_id: 'default' } }
    }

    /** What the placeholders of a case stand for. */
    function filled(text: string): string {
      const { auth, bare } = entries()
      const shared = `x: &l ${JSON.stringify(auth)}\nclouds:\n`
      const many = Array.from({ length: 150 }, (_, i) => `  c${i || ''}: {cacert: CA, auth: {<<: *l}}\n`).join('')
      return text
        .replace('ALIASES', () => shared + many)
        .replace('NODOMAIN', () => `auth: ${JSON.stringify(bare)}`)
        .replaceAll('…', () => `auth: ${JSON.stringify(auth)}`)
        .replaceAll('FOLDER', join(home, 'certs'))
        .replaceAll(/(?<![A-Z_])CA(?![A-Z_])/g, cloud.caFile)
    }

    for (const [title, { cloud: entry, file, env = {}, options = '', gets }] of Object.entries(cases)) {
      it(`${title}: ${gets}`, async () => {
        const text = file ?? (entry && `clouds: {c: ${entry.startsWith('{') ? entry : `{${entry}}`}}`)
        await writeFile(join(home, 'clouds.yaml'), text ? filled(text) : '')
        const settings = {
          PATH: process.env.PATH as string,
          HOME: home,
          LANG: 'C.UTF-8',
          COE_TOKEN_CACHE: 'false',
          ...(text ? { OS_CLOUD: 'c' } : login),
          ...Object.fromEntries(Object.entries(env).map(([key, value]) => [key, filled(value)])),
        }
        const words = `${filled(options)} coe cluster list -f value -c name`.trim().split(' ')
        const [stock, coe] = await Promise.all([
          run(client, words, { env: settings, cwd: home }).then(
            ({ stdout }) => stdout,
            () => '',
          ),
          runCoe(
            words.filter(word => word !== 'coe'),
            { env: settings, home, cwd: home },
          ),
        ])
        expect({ stock, coe: coe.out }).toEqual({
          stock: gets === 'both' || gets === 'stock' ? 'cluster1\n' : '',
          coe: gets === 'both' || gets === 'coe' ? 'cluster1\n' : '',
        })
        expect(coe.code === 0).toBe(coe.out !== '')
      })
    }
  },
)
