/** Contexts as clusters: seen without asking anybody, probed side by side, and handed on as kubeconfigs of their own. */
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { send } from '../../sandbox/request.ts'
import { configMap, connectAdmin, namespaceObject } from '../../support/kube.ts'
import { type StandaloneLab, startLab } from '../../support/standalone.ts'

let lab: StandaloneLab
/** As the sandbox wrote it. */
let original: string
beforeAll(async () => {
  lab = await startLab()
  original = await readFile(lab.kubeconfig, 'utf8')
  const mark = (name: string, namespace: string, kind: string, data = {}) => {
    const labels = { 'coe/record': kind, 'coe/federation': 'myfed', 'coe/federation-uuid': 'f1' }
    const map = configMap(name, namespace, data)
    return { ...map, metadata: { ...map.metadata, labels } }
  }
  const host = await connectAdmin(lab.sandbox.cluster('host'))
  await host.create(namespaceObject('coe-fed-myfed'))
  await host.create(mark('coe-federation', 'coe-fed-myfed', 'federation'))
  const member = await connectAdmin(lab.sandbox.cluster('c2'))
  const data = { federation: 'myfed', uuid: 'f1', member: 'c2', host: 'host' }
  await member.create(mark('coe-membership', 'kube-system', 'membership', data))
})
afterAll(() => lab.close())
beforeEach(async () => {
  await writeFile(lab.kubeconfig, original)
  lab.sandbox.log.clear()
  lab.sandbox.faults.clear()
})

const json = async (line: string) => {
  const { code, out, err } = await lab.run(`${line} -f json`)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out)
}
// biome-ignore lint/suspicious/noExplicitAny: YAML of every shape
type Yaml = any
const change = async (edit: (config: Yaml) => void) => {
  const config = parse(original)
  edit(config)
  await writeFile(lab.kubeconfig, stringify(config))
}
const userOf = (config: Yaml, context: string) => {
  const { user } = config.contexts.find((c: Yaml) => c.name === context).context
  return config.users.find((u: Yaml) => u.name === user).user
}
const clusterOf = (config: Yaml, context: string) => {
  const { cluster } = config.contexts.find((c: Yaml) => c.name === context).context
  return config.clusters.find((c: Yaml) => c.name === cluster).cluster
}
const asked = () => lab.sandbox.log.all().length

describe('cluster list', () => {
  it('has the contexts, with what is known of them, and asks nobody', async () => {
    const { out } = await lab.run('cluster list')
    const lines = out.trim().split('\n')
    expect(lines[1]).toMatch(/^\| name +\| api_address +\|$/)
    expect(lines[3]).toMatch(/^\| host +\| https:\/\/127\.[\d.]+:\d+ +\|$/)
    expect((await json('cluster list')).map((c: Yaml) => [c.uuid, c.name, c.status])).toEqual([
      ['kube:host', 'host', null],
      ['kube:c2', 'c2', null],
      ['kube:c3', 'c3', null],
    ])
    expect((await json('cluster list --sort-key name --sort-dir desc --limit 2')).map((c: Yaml) => c.name)).toEqual([
      'host',
      'c3',
    ])
    expect((await json('cluster list --marker host')).map((c: Yaml) => c.name)).toEqual(['c2', 'c3'])
    const lost = await lab.run('cluster list --marker c9')
    expect([lost.code, lost.out, lost.err]).toEqual([3, '', expect.stringContaining('there is no "c9"')])
    const odd = await lab.run('cluster list --sort-key nam')
    expect([odd.code, odd.err]).toEqual([2, expect.stringContaining('did you mean "name"')])
    expect(asked()).toBe(0)
  })

  it('with --probe tells versions, nodes, health and federations', async () => {
    const rows = await json('cluster list --probe')
    expect(rows.map((c: Yaml) => [c.name, c.node_count, c.health_status, c.member_of, c.host_of])).toEqual([
      ['host', 1, 'HEALTHY', null, ['myfed']],
      ['c2', 2, 'HEALTHY', 'myfed', []],
      ['c3', 2, 'HEALTHY', null, []],
    ])
    for (const { uuid, status } of rows) expect([uuid.length, status]).toEqual([36, 'CREATE_COMPLETE'])
    expect(
      lab.sandbox
        .cluster('c2')
        .log.all()
        .map(e => e.url.split('?')[0])
        .sort(),
    ).toEqual(['/api/v1/configmaps', '/api/v1/namespaces/kube-system', '/api/v1/nodes', '/readyz', '/version'])
    const { out } = await lab.run('cluster list --probe')
    expect(out).toMatch(/\| c2 .*\| v1\.\d+\.\d+ +\| +2 \| HEALTHY +\| myfed +\| +\| None/)
    expect((await lab.run('cluster list --probe --status COMPLETE -f value -c name -c member_of')).out).toBe(
      'host None\nc2 myfed\nc3 None\n',
    )
  })

  it('has a row for a cluster that does not answer in time, and for one that is not there', async () => {
    lab.sandbox.cluster('c2').faults.order({ effect: { kind: 'silence-before' }, times: Number.POSITIVE_INFINITY })
    await lab.sandbox.cluster('c3').stop()
    try {
      const [host, c2, c3] = await json('cluster list --probe --timeout 2s')
      expect((await lab.run('cluster show c2 --probe --timeout 300ms')).out).toContain('did not answer within 0.3 s')
      expect(host.health_status).toBe('HEALTHY')
      expect(c2).toMatchObject({ uuid: 'kube:c2', status: null, health_status: 'UNKNOWN', coe_version: null })
      expect(c2.status_reason).toContain('the API server of "c2" did not answer within 2 s')
      expect(c3).toMatchObject({ health_status: 'UNKNOWN', node_count: null, member_of: null, host_of: null })
      expect(c3.status_reason).toContain('refused the connection')
    } finally {
      await lab.sandbox.cluster('c3').start()
    }
  })

  it('says what may not be seen, and shows the rest', async () => {
    const token = lab.sandbox.cluster('c3').staticToken('guest')
    await change(config => {
      const user = userOf(config, 'c3')
      for (const key of Object.keys(user)) delete user[key]
      user.token = token
    })
    const c3 = (await json('cluster list --probe')).at(-1)
    expect(c3).toMatchObject({ uuid: 'kube:c3', node_count: null, health_status: 'UNKNOWN', host_of: null })
    expect(c3.coe_version).toMatch(/^v1\./)
    expect(c3.status_reason).toMatch(/^it does not let "guest" list nodes; it does not let "guest" get configmaps/)
  })

  it('starts credential plugins, but for those that can only ask, and says which', async () => {
    const trace = join(lab.home, 'started')
    const plugin = join(lab.home, 'plugin')
    const token = lab.sandbox.cluster('c2').staticToken('jane', ['system:masters'])
    const answer = {
      kind: 'ExecCredential',
      apiVersion: 'client.authentication.k8s.io/v1',
      status: { token },
    }
    await writeFile(plugin, `#!/bin/sh\necho "$1" >> ${trace}\ncat <<'END'\n${JSON.stringify(answer)}\nEND\n`)
    await chmod(plugin, 0o700)
    const exec = (mode: string) => ({
      exec: { apiVersion: answer.apiVersion, command: plugin, args: [mode], interactiveMode: mode },
    })
    await change(config => {
      for (const [context, mode] of Object.entries({ host: 'Always', c2: 'Never', c3: 'IfAvailable' })) {
        const name = config.contexts.find((c: Yaml) => c.name === context).context.user
        config.users.find((u: Yaml) => u.name === name).user = exec(mode)
      }
    })
    const [host, c2, c3] = await json('cluster list --probe')
    const started = async () => (await readFile(trace, 'utf8')).trim().split('\n')
    expect(new Set(await started())).toEqual(new Set(['IfAvailable', 'Never']))
    // each gives a token of c2: that it is not taken elsewhere is told by those who were asked
    expect(c2.health_status).toBe('HEALTHY')
    expect(c3.status_reason).toContain('does not accept the credentials')
    expect(host).toMatchObject({ health_status: 'UNKNOWN' })
    expect(host.status_reason).toContain('prompts at a terminal (interactiveMode: Always); it was not started')
    await lab.run('cluster show host --probe', { tty: true })
    expect(await started()).not.toContain('Always')
  })

  it('has a row for a context that is broken', async () => {
    await change(config => {
      clusterOf(config, 'c2')['certificate-authority-data'] = 'bm8='
    })
    const [, c2] = await json('cluster list --probe')
    expect(c2.status_reason).toContain('is not PEM')
  })
})

describe('cluster show', () => {
  it('tells what the kubeconfig says of a context, and asks nobody', async () => {
    const shown = await json('cluster show c2')
    expect(shown).toMatchObject({
      uuid: 'kube:c2',
      name: 'c2',
      status: null,
      namespace: 'default',
      kubeconfig: lab.kubeconfig,
      current: false,
      credentials: expect.stringMatching(/^certificate until 20\d\d-\d\d-\d\d$/),
    })
    const { out } = await lab.run('cluster show kube:host')
    expect(out).toMatch(/\| current +\| True/)
    expect(out).not.toContain('stack_id')
    expect(asked()).toBe(0)
  })

  it('with --probe tells how its cluster is', async () => {
    expect(await json('cluster show c2 --probe')).toMatchObject({
      member_of: 'myfed',
      health_status: 'HEALTHY',
      health_status_reason: { api: 'ok', 'c2-1.Ready': 'True', 'c2-2.Ready': 'True' },
    })
  })

  it('with --probe says that it cannot be reached', async () => {
    await lab.sandbox.cluster('c3').stop()
    try {
      const { code, out } = await lab.run('cluster show c3 --probe -f json')
      expect([code, JSON.parse(out)]).toMatchObject([0, { name: 'c3', status: null, health_status: 'UNKNOWN' }])
    } finally {
      await lab.sandbox.cluster('c3').start()
    }
  })

  it('suggests what was meant', async () => {
    const { code, err } = await lab.run('cluster show c22')
    expect([code, err]).toEqual([3, expect.stringContaining('did you mean "c2"')])
    expect((await lab.run('cluster show nosuch:x')).code).toBe(2)
  })
})

describe('cluster config', () => {
  const read = async (path: string): Promise<Yaml> => parse(await readFile(path, 'utf8'))
  /** With the files' content in it, its keys and certificates in files beside the kubeconfig. */
  const inFiles = () =>
    change(config => {
      const cluster = clusterOf(config, 'c2')
      const user = userOf(config, 'c2')
      cluster['certificate-authority'] = 'ca.crt'
      user['client-key'] = 'c2.key'
      delete cluster['certificate-authority-data']
      delete user['client-key-data']
    })
  beforeEach(async () => {
    const config = parse(original)
    const plain = (data: string) => Buffer.from(data, 'base64')
    await writeFile(join(lab.home, 'ca.crt'), plain(clusterOf(config, 'c2')['certificate-authority-data']))
    await writeFile(join(lab.home, 'c2.key'), plain(userOf(config, 'c2')['client-key-data']), { mode: 0o600 })
  })

  it('writes one context alone, whole, for its owner only; and it opens the cluster', async () => {
    await inFiles()
    const dir = join(lab.home, 'one')
    const { code, out, err } = await lab.run(`cluster config c2 --dir ${dir}`, { env: { SHELL: '/bin/bash' } })
    expect([code, out]).toEqual([0, `export KUBECONFIG=${dir}/config\n\n`])
    expect(err).toMatch(/^the certificate is valid until 20/)
    const file = join(dir, 'config')
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600')
    const config = await read(file)
    expect([config.contexts.length, config.clusters.length, config.users.length]).toEqual([1, 1, 1])
    expect(config['current-context']).toBe('c2')
    const { cluster } = config.clusters[0]
    const { user } = config.users[0]
    expect([cluster['certificate-authority'], user['client-key']]).toEqual([undefined, undefined])
    const decode = (data: string) => Buffer.from(data, 'base64').toString()
    const credentials = {
      ca: decode(cluster['certificate-authority-data']),
      cert: decode(user['client-certificate-data']),
      key: decode(user['client-key-data']),
    }
    expect((await send('GET', `${cluster.server}/api/v1/nodes`, credentials)).status).toBe(200)
    const again = await lab.run(`cluster config c2 --dir ${dir}`)
    expect([again.code, again.err]).toEqual([5, expect.stringContaining('--force overwrites it')])
    expect((await lab.run(`cluster config c2 --dir ${dir} --force`)).code).toBe(0)
  })

  it('prints it with --stdout, and nothing of the others', async () => {
    const { code, out } = await lab.run('cluster config kube:c2 --stdout --context-name mine')
    expect(code).toBe(0)
    const config = parse(out)
    expect(config['current-context']).toBe('mine')
    expect(clusterOf(config, 'mine')).toEqual(clusterOf(parse(original), 'c2'))
    expect(userOf(config, 'mine')).toEqual(userOf(parse(original), 'c2'))
    expect([config.contexts.length, config.clusters.length, config.users.length]).toEqual([1, 1, 1])
  })

  it('keeps what coe does not know, plugins and token files', async () => {
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: './get-token', interactiveMode: 'Never' }
    await change(config => {
      clusterOf(config, 'c2')['disable-compression'] = true
      config.contexts.find((c: Yaml) => c.name === 'c2').context.namespace = 'shop'
      const name = (context: string) => config.contexts.find((c: Yaml) => c.name === context).context.user
      config.users.find((u: Yaml) => u.name === name('c2')).user = { exec }
      config.users.find((u: Yaml) => u.name === name('c3')).user = { tokenFile: 'token' }
    })
    const config = parse((await lab.run('cluster config c2 --stdout')).out)
    expect(clusterOf(config, 'c2')['disable-compression']).toBe(true)
    expect(config.contexts[0].context.namespace).toBe('shop')
    expect(userOf(config, 'c2').exec).toEqual({ ...exec, command: join(lab.home, 'get-token') })
    const { out, err } = await lab.run('cluster config c3 --stdout')
    expect(userOf(parse(out), 'c3')).toEqual({ tokenFile: join(lab.home, 'token') })
    expect(err).toContain(`its token is read from ${join(lab.home, 'token')} each time`)
  })

  it('with --merge makes it the current context; with another name, a copy that needs no files', async () => {
    await inFiles()
    const first = await lab.run('cluster config c2 --merge')
    expect([first.code, first.out]).toEqual([0, `Context "c2" is in ${lab.kubeconfig} and is the current context\n`])
    const second = await lab.run('cluster config c2 --merge')
    expect(second.out).toContain('current context: unchanged')
    expect(clusterOf(await read(lab.kubeconfig), 'c2')['certificate-authority']).toBe('ca.crt')

    expect((await lab.run('cluster config c2 --merge --context-name copy')).code).toBe(0)
    const config = await read(lab.kubeconfig)
    expect(config['current-context']).toBe('copy')
    expect(clusterOf(config, 'copy')).toEqual(clusterOf(parse(original), 'c2'))
    expect(clusterOf(config, 'c2')['certificate-authority']).toBe('ca.crt')
    expect((await lab.run('cluster config c2 --merge --context-name copy')).out).toContain('unchanged')
    const taken = await lab.run('cluster config c2 --merge --context-name c3')
    expect([taken.code, taken.err]).toEqual([5, expect.stringContaining('already has a context "c3"')])
  })

  it('writes the certificates that there are', async () => {
    const dir = join(lab.home, 'certs')
    expect((await lab.run(`cluster config c2 --dir ${dir} --output-certs -f json`)).code).toBe(0)
    expect((await readdir(dir)).sort()).toEqual(['ca.pem', 'cert.pem', 'config', 'key.pem'])
  })

  it.each(['--user jane', '--group dev', '--use-keystone', `--cluster-ca ca.crt`])(
    'refuses %s: nobody signs certificates here',
    async option => {
      const { code, out, err } = await lab.run(`cluster config c2 --stdout ${option}`)
      expect([code, out]).toEqual([2, ''])
      expect(err).toContain('are for clusters of a Magnum')
    },
  )
})

describe('what drivers only find', () => {
  it('is not deleted; the error names the driver and what can', async () => {
    const { code, out, err } = await lab.run('cluster delete c2 magnum:prod --force')
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain('driver kubeconfig_v1 cannot delete cluster "c2": it finds clusters that others made')
    expect(err).toContain('driver magnum_v1 cannot delete cluster "prod": it finds clusters that others made')
    expect(err).toContain('use Magnum mode: coe cluster delete --os-cloud NAME prod')
    expect(asked()).toBe(0)
  })

  it.each([
    ['update kube:c2 --node-count 2', 2, 'cannot change cluster "c2"'],
    ['update magnum:prod --node-count 2', 2, 'coe cluster update --os-cloud NAME prod --node-count 2'],
    ['resize magnum:prod 2', 2, 'coe cluster resize --os-cloud NAME prod 2'],
    ['upgrade magnum:prod k8s', 2, 'coe cluster upgrade --os-cloud NAME prod k8s'],
    ['wait magnum:prod', 2, 'coe cluster wait --os-cloud NAME prod'],
    ['delete nosuch', 3, 'there is no context "nosuch"'],
    ['delete odd:c2', 2, 'nothing is known by the prefix "odd:"'],
    ['create x --cluster-template t', 2, 'no driver creates clusters in standalone mode'],
  ])('cluster %s', async (words, exit, says) => {
    const { code, err } = await lab.run(`cluster ${words}`)
    expect([code, err]).toEqual([exit, expect.stringContaining(says)])
    expect(asked()).toBe(0)
  })
})
