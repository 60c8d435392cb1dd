import { X509Certificate } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateKey, privateKeyPem } from '../../../src/pki/keys.ts'
import { createRequest } from '../../../src/pki/requests.ts'
import { startCloud, type TestCloud } from '../../support/cloud.ts'
import { changesSent } from '../../support/sent.ts'

let cloud: TestCloud
let csr: string
beforeAll(async () => {
  cloud = await startCloud({ clusters: 1 })
  const { privateKey } = await generateKey()
  csr = createRequest(
    [
      ['O', 'viewers'],
      ['CN', 'jane'],
    ],
    privateKey,
  )
  await writeFile(join(cloud.home, 'jane.csr'), csr)
  await writeFile(join(cloud.home, 'jane.key'), privateKeyPem(privateKey))
})
afterAll(() => cloud.close())

const ca = async () => (await cloud.run('ca show cluster1')).out

describe('coe ca show', () => {
  it('prints the certificate, and as an object with -f', async () => {
    const { code, out, err } = await cloud.run('ca show cluster1')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(new X509Certificate(out).ca).toBe(true)
    const object = JSON.parse((await cloud.run('ca show cluster1 -f json')).out)
    expect(`${object.pem}\n`).toBe(out)
  })

  it('takes one request', async () => {
    cloud.sandbox.log.clear()
    await cloud.run('ca show cluster1 --ca-type etcd')
    expect(cloud.sandbox.log.all().map(e => e.url)).toEqual([
      expect.stringMatching(/^\/v1\/certificates\/cluster1\?ca_cert_type=etcd$/),
    ])
  })

  it.each([
    ['demo', 'ca show nosuch', 3, 'no cluster "nosuch"'],
    ['demo', 'ca show cluster1 --ca-type etdc', 2, 'did you mean "etcd"?'],
    ['demo2', 'ca show cluster1', 4, 'only the user who created the cluster'],
    ['admin', 'ca show cluster1', 4, 'only from its own project'],
  ])('as %s, "%s" ends with exit code %i', async (user, line, code, says) => {
    const result = await cloud.as(user, user === 'admin' ? 'admin' : 'demo')(line)
    expect(result.err).toContain(says)
    expect(result).toMatchObject({ code, out: '' })
  })
})

describe('coe ca sign', () => {
  it.each([
    ['a file', 'ca sign cluster1 jane.csr', undefined],
    ['standard input', 'ca sign cluster1 -', 'csr'],
    ['a file, for the CA of choice', 'ca sign cluster1 jane.csr --ca-type kubernetes', undefined],
  ])('signs a request from %s', async (_, line, input) => {
    const { code, out } = await cloud.run(line, input ? { input: csr } : {})
    expect(code).toBe(0)
    const certificate = new X509Certificate(out)
    expect(certificate.subject.split('\n').sort()).toEqual(['CN=jane', 'O=viewers'])
    expect(certificate.checkIssued(new X509Certificate(await ca()))).toBe(true)
  })

  // difference: key-stays-here
  // difference: exit-on-failure
  it.each([
    ['nosuch.csr', 1, 'cannot read the certificate request "nosuch.csr": there is no such file'],
    ['.', 1, 'it is a folder'],
    ['jane.key', 1, 'contains a private key, which must not leave this machine'],
  ])('%s: nothing is sent', async (file, code, says) => {
    const result = await cloud.run(`ca sign cluster1 ${file} --trace`)
    expect(result).toMatchObject({ code, out: '' })
    expect(result.err).toContain(says)
    expect(changesSent(result.err)).toEqual([])
  })

  it('says that there is no such cluster, though the server calls it a bad request', async () => {
    const { code, err } = await cloud.run('ca sign cluster2 jane.csr')
    expect(code).toBe(3)
    expect(err).toContain('no cluster "cluster2"')
    expect(err).toContain('did you mean "cluster1"?')
  })
})

describe('coe ca rotate', () => {
  // difference: ca-rotate-asks
  it('warns off a terminal, and does it as the stock client does', async () => {
    const before = await ca()
    const { code, err } = await cloud.run('ca rotate cluster1 --wait')
    expect(err).toContain('warning: all existing certificates and kubeconfigs stop working')
    expect(code).toBe(0)
    expect(await ca()).not.toBe(before)
  })

  it('warns of nothing where nothing is done', async () => {
    const { code, err } = await cloud.run('ca rotate nowhere')
    expect(code).toBe(3)
    expect(err).not.toContain('warning')
  })

  it('does nothing without a yes where --no-input forbids to ask', async () => {
    const before = await ca()
    const { code, err } = await cloud.run('ca rotate cluster1 --no-input')
    expect(code).toBe(2)
    expect(err).toContain('--yes')
    expect(await ca()).toBe(before)
  })

  it('asks on a terminal, and takes a no', async () => {
    const before = await ca()
    const { code, err } = await cloud.run('ca rotate cluster1', { tty: true, input: 'n\n' })
    expect(code).toBe(1)
    expect(err).toContain('[y/N]')
    expect(err).toContain('nothing was changed')
    expect(await ca()).toBe(before)
  })

  it.each([
    ['a yes on the terminal', 'ca rotate cluster1 --wait', { tty: { stdin: true, stderr: true }, input: 'y\n' }],
    ['--yes', 'ca rotate cluster1 --yes --wait', {}],
    ['COE_YES', 'ca rotate cluster1 --wait', { env: { COE_YES: '1' } }],
  ])('with %s it waits until the cluster is complete, and has another CA', async (_, line, options) => {
    const before = await ca()
    const { code, out } = await cloud.run(line, options)
    expect(out).toMatch(/^Request to rotate the CA certificate for cluster [\da-f-]{36} has been accepted\.\n$/)
    expect(code).toBe(0)
    expect(await ca()).not.toBe(before)
  })

  it('refuses a cluster in no state for it before anything is sent', async () => {
    await cloud.run('cluster create young --cluster-template k8s')
    const { code, err } = await cloud.run('ca rotate young --yes --trace')
    expect(code).toBe(5)
    expect(err).toContain('cannot be rotated now: the cluster is CREATE_IN_PROGRESS')
    expect(changesSent(err)).toEqual([])
  })

  it('says what a driver that cannot rotate has left behind', async () => {
    const other = await startCloud({ clusters: 1, caRotate: 'unsupported' })
    const { code, err } = await other.run('ca rotate cluster1 --yes')
    expect(code).toBe(1)
    expect(err).toContain('not supported by this driver')
    expect(err).toContain('keep the kubeconfigs that work')
    await other.close()
  })
})
