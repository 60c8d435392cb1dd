/** Kubeconfigs that will not do: each ends with a clear error before anything is written. */
import { open } from 'node:fs/promises'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createCa } from '../../../src/pki/certificates.ts'
import { generateKey, privateKeyPem } from '../../../src/pki/keys.ts'
import { changed, type Edit, expectRefused, file, plugin, type Says, secret } from '../../support/refusals.ts'
import { type StandaloneLab, startLab } from '../../support/standalone.ts'

const create = 'federation create new --host host --expose nodeport'

let lab: StandaloneLab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(async () => {
  await lab.close()
})

describe('the way to the host, as a kubeconfig has it', () => {
  const cases: [what: string, edit: Edit, code: number, ...says: Says][] = [
    [
      'no certificate authority',
      e => delete e.cluster['certificate-authority-data'],
      1,
      /no known authority signed/,
      /"certificate-authority" of cluster "host"/,
    ],
    [
      'that of another cluster',
      e => (e.cluster['certificate-authority-data'] = e.config.clusters[1].cluster['certificate-authority-data']),
      1,
      /no known authority signed|another authority/,
      /"certificate-authority" of cluster "host"/,
    ],
    [
      'a file of one that is not there',
      e => {
        delete e.cluster['certificate-authority-data']
        e.cluster['certificate-authority'] = 'ca/none.pem'
      },
      2,
      /config-\w+\/ca\/none\.pem, the certificate-authority of cluster "host"/,
      /does not exist/,
    ],
    [
      'one that is no PEM',
      e => (e.cluster['certificate-authority-data'] = Buffer.from('none').toString('base64')),
      2,
      /is not PEM/,
    ],
    ['one that is no base64', e => (e.cluster['certificate-authority-data'] = '%%%'), 2, /is not base64/],
    [
      'insecure, and an authority as well',
      e => (e.cluster['insecure-skip-tls-verify'] = true),
      2,
      /has a certificate authority and insecure-skip-tls-verify/,
    ],
    [
      'a tls-server-name that its certificate has not',
      e => (e.cluster['tls-server-name'] = 'else.example.com'),
      1,
      /certificate that is for another name/,
      /tls-server-name/,
    ],
    [
      'an address as tls-server-name that its certificate has not',
      e => (e.cluster['tls-server-name'] = '192.0.2.1'),
      1,
      /certificate that is for another name/,
    ],
    [
      'a proxy that is not there',
      e => (e.cluster['proxy-url'] = `http://me:${secret}@127.0.0.1:9`),
      1,
      /through the proxy http:\/\/127\.0\.0\.1:9\/, refused the connection/,
      /proxy-url/,
    ],
    [
      'a proxy of a kind that is not known',
      e => (e.cluster['proxy-url'] = `ftp://me:${secret}@proxy`),
      2,
      /ftp:\/\/proxy is not an HTTP proxy/,
    ],
    ['no server', e => delete e.cluster.server, 2, /cluster "host" in .*config:\d+ has no server/],
    ['a server that is no address', e => (e.cluster.server = 'ftp://x'), 2, /is not an address like https:/],
    [
      'a server that is not there',
      e => (e.cluster.server = 'https://127.0.0.1:9'),
      1,
      /host "host" refused the connection \(https:\/\/127\.0\.0\.1:9/,
    ],
    ['a name that nobody knows', e => (e.cluster.server = 'https://host.invalid'), 1, /cannot be resolved/],
    [
      'http instead of https',
      e => (e.cluster.server = e.cluster.server.replace('https', 'http')),
      1,
      /is it https:\/\/ rather than http:/,
    ],
    [
      'a cluster that no file has',
      e => (e.context.context.cluster = 'hots'),
      2,
      /refers to the cluster "hots", which no kubeconfig has/,
      /did you mean "host"/,
    ],
    [
      'a user that no file has',
      e => (e.context.context.user = 'host-admn'),
      2,
      /refers to the user "host-admn"/,
      /did you mean "host-admin"/,
    ],
    [
      'a certificate without its key',
      e => delete e.user.user['client-key-data'],
      2,
      /client certificate without its key/,
    ],
    [
      'the key of another certificate',
      e => (e.user.user['client-key-data'] = e.config.users[1].user['client-key-data']),
      1,
      /the client key does not belong to it/,
    ],
    ['a token that is not known', e => (e.user.user = { token: secret }), 4, /does not accept the credentials/],
    ['nobody', e => (e.user.user = {}), 4, /does not let "system:anonymous" get namespaces/],
    [
      'a token file that is not there',
      e => (e.user.user = { tokenFile: 'token' }),
      4,
      /cannot read .*config-\w+\/token, the token file of user "host-admin"/,
    ],
    [
      'a provider that is gone',
      e => (e.user.user = { 'auth-provider': { name: 'gcp' } }),
      2,
      /auth-provider "gcp", which Kubernetes no longer supports/,
    ],
    [
      'a plugin that is not installed',
      plugin({ command: 'no-such-plugin' }),
      4,
      /"no-such-plugin" of user "host-admin" \(context "host"\) is not installed/,
    ],
    [
      'and that says where to get it',
      plugin({ command: 'no-such-plugin', installHint: 'see https://example.com' }),
      4,
      /^hint: see https:\/\/example\.com/m,
    ],
    [
      'a plugin that fails',
      plugin({ args: ['-c', `echo ${secret}; echo please log in >&2; exit 3`] }),
      4,
      /failed \(exit 3\): please log in/,
    ],
    ['a plugin that prints no credential', plugin({ args: ['-c', `echo ${secret}`] }), 1, /did not print JSON/],
    [
      'a plugin that must ask, and nobody is there',
      plugin({ interactiveMode: 'Always' }),
      4,
      /needs a terminal to prompt, and there is none/,
    ],
    [
      'a plugin of a version that is gone',
      plugin({ apiVersion: 'client.authentication.k8s.io/v1alpha1' }),
      2,
      /v1alpha1, which no longer exists/,
    ],
    [
      'a plugin whose token is refused',
      plugin({
        args: [
          '-c',
          `echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"${secret}"}}'`,
        ],
      }),
      4,
      /does not accept the credentials/,
    ],
  ]
  it.each(cases)('%s', async (_what, edit, code, ...says) => {
    await expectRefused(lab, create, { env: { KUBECONFIG: await changed(lab, 'host', edit) } }, code, says)
  })

  it('a client certificate that has expired', async () => {
    const key = (await generateKey()).privateKey
    const now = Date.now() - 30 * 86_400_000
    const certificate = createCa({ subject: [['CN', 'me']], now, days: 10 }, key)
    const user = {
      'client-certificate-data': Buffer.from(certificate).toString('base64'),
      'client-key-data': Buffer.from(privateKeyPem(key)).toString('base64'),
    }
    const env = { KUBECONFIG: await changed(lab, 'host', e => (e.user.user = user)) }
    await expectRefused(lab, create, { env }, 4, [
      /client certificate of user "host-admin" in .*config:\d+ expired 2\dd/,
    ])
  })
})

describe('a server that takes connections and says nothing', () => {
  const env = { COE_REQUEST_TIMEOUT: '1s' }

  it('is given up when its time is over, before TLS', async () => {
    const dumb = createServer(() => {})
    await new Promise<void>(resolve => dumb.listen(0, '127.0.0.1', resolve))
    const { port } = dumb.address() as { port: number }
    const KUBECONFIG = await changed(lab, 'host', e => (e.cluster.server = `https://127.0.0.1:${port}`))
    await expectRefused(lab, create, { env: { ...env, KUBECONFIG } }, 1, [/host "host" did not answer within 1 s/])
    dumb.close()
  })

  it('and behind it', async () => {
    const silence = { agent: /^coe\//, times: 99, effect: { kind: 'silence-before' } } as const
    const placed = lab.sandbox.faults.order(silence)
    await expectRefused(lab, create, { env }, 1, [/host "host" did not answer within 1 s/])
    placed.remove()
  })
})

describe('kubeconfig files', () => {
  it('none', () =>
    expectRefused(lab, create, { env: { KUBECONFIG: '/nowhere' } }, 3, [
      /no context "host"/,
      /no context is in \/nowhere/,
    ]))

  it('no home, and none named', () =>
    expectRefused(lab, create, { env: { KUBECONFIG: '', HOME: '' }, home: undefined }, 3, [/no home folder/]))

  it('broken YAML, shown with a caret, wherever it is in the list', async () => {
    const broken = await file(
      lab,
      'apiVersion: v1\nclusters:\n- name: a\n  cluster: {server: "https://x"\ncontexts: []\n',
    )
    for (const KUBECONFIG of [broken, `${lab.kubeconfig}:${broken}`])
      await expectRefused(lab, create, { env: { KUBECONFIG } }, 2, [
        /cannot read the kubeconfig .*, line 5, column 1/,
        /\| \^/,
      ])
  })

  it('a list that is none', async () => {
    const env = { KUBECONFIG: await file(lab, 'contexts: {host: 1}\n') }
    await expectRefused(lab, create, { env }, 2, [/"contexts" in the kubeconfig .*:1 is not a list/])
  })

  it('something else, or a folder', async () => {
    await expectRefused(lab, create, { env: { KUBECONFIG: await file(lab, 'PK\u0003\u0004') } }, 2, [
      /cannot read the kubeconfig/,
    ])
    await expectRefused(lab, create, { env: { KUBECONFIG: lab.home } }, 2, [/is a folder, not a file/])
  })

  it('one that can be read and not written: known before anything is made', async () => {
    const handle = await open(lab.kubeconfig)
    // what `KUBECONFIG=<(…)` leads to: no folder that takes a lock
    const env = { KUBECONFIG: `/proc/self/fd/${handle.fd}` }
    await expectRefused(lab, create, { env }, 1, [/cannot write context "new"/, /--kubeconfig-out FILE/])
    await handle.close()
  })

  it('a context of that name that is somebody else’s', async () => {
    const env = { KUBECONFIG: await changed(lab, 'c2', e => (e.context.name = 'new')) }
    await expectRefused(lab, create, { env }, 5, [
      /already has a context "new", and coe did not make it/,
      /--context-name/,
    ])
  })

  it('an unknown context: which one may be meant', () =>
    expectRefused(lab, 'federation create new --host hots --expose nodeport', {}, 3, [/did you mean "host"/]))
})
