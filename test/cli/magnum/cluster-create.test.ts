import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startCloud, type TestCloud } from '../../support/cloud.ts'
import { pressCtrlC } from '../../support/ctrl-c.ts'
import { changesSent } from '../../support/sent.ts'

let cloud: TestCloud
beforeAll(async () => {
  cloud = await startCloud({ clusters: 1, quota: 100 })
})
afterAll(() => cloud.close())
beforeEach(() => cloud.sandbox.faults.clear())

const create = (rest: string) => cloud.run(`cluster create ${rest}`)
const named = async (name: string) =>
  (await cloud.run(`cluster list --name ${name} -f value -c uuid`)).out.split('\n').filter(Boolean)

describe('coe cluster create', () => {
  // difference: only-what-was-said
  it('says what upstream says, and sends only what was said', async () => {
    const { code, out, err } = await create('plain --cluster-template k8s --trace')
    expect(code).toBe(0)
    expect(out).toMatch(/^Request to create cluster [\da-f-]{36} accepted\n$/)
    expect(changesSent(err)).toEqual([
      { method: 'POST', path: '/clusters', version: '1.2', body: { name: 'plain', cluster_template_id: 'k8s' } },
    ])
  })

  // difference: master-lb-enabled
  it('puts every option where it belongs', async () => {
    const { code, err } = await create(
      'full --cluster-template k8s --node-count 0 --master-count 3 --keypair otherkey --flavor m1.large --master-flavor m1.medium --labels a=1,b=2 --label c=x,y --merge-labels --docker-volume-size 9 --fixed-network private --fixed-subnet private-subnet --floating-ip-disabled --master-lb-enabled --discovery-url http://127.0.0.1:9/x --timeout 30 --trace',
    )
    expect(code).toBe(0)
    const [sent] = changesSent(err)
    expect(sent?.version).toBe('1.10') // no nodes at all is a word of newer servers
    expect(sent?.body).toEqual({
      name: 'full',
      cluster_template_id: 'k8s',
      node_count: 0,
      master_count: 3,
      keypair: 'otherkey',
      flavor_id: 'm1.large',
      master_flavor_id: 'm1.medium',
      labels: { a: '1', b: '2', c: 'x,y' },
      merge_labels: true,
      docker_volume_size: 9,
      fixed_network: 'private',
      fixed_subnet: 'private-subnet',
      floating_ip_enabled: false,
      master_lb_enabled: true,
      discovery_url: 'http://127.0.0.1:9/x',
      create_timeout: 30,
    })
  })

  it('sends a label of any name', async () => {
    const { code, err } = await create(
      'odd-labels --cluster-template k8s --labels __proto__=a --labels constructor=b --labels __proto__=c --label toString=d --trace',
    )
    expect(code).toBe(0)
    const labels = [
      ['__proto__', 'a,c'],
      ['constructor', 'b'],
      ['toString', 'd'],
    ]
    expect(Object.entries(changesSent(err)[0]?.body.labels)).toEqual(labels)
    const shown = JSON.parse((await cloud.run('cluster show odd-labels -f json -c labels')).out)
    expect(Object.entries(shown.labels)).toEqual(labels)
  })

  it('says on a terminal what to type next, and to scripts nothing', async () => {
    const next = async (rest: string, options = {}) =>
      (await cloud.run(`cluster create ${rest} --cluster-template k8s --color never`, options)).err
    expect(await next('next1', { tty: true })).toBe('wait for it: coe cluster wait next1\n')
    expect(await next('next2 --wait', { tty: true })).toMatch(/use it: coe cluster config next2 --merge\n$/)
    expect(await next('next3 -q', { tty: true })).toBe('')
    expect(await next('next4')).toBe('')
  })

  it('warns of --wait-timeout without --wait', async () => {
    expect(await create('hasty --cluster-template k8s --wait-timeout 5m')).toMatchObject({
      code: 0,
      err: 'warning: --wait-timeout has no effect without --wait: nothing is waited for\n',
    })
  })

  // difference: formatted-changes
  it('with -f prints the cluster on stdout, and the words on stderr', async () => {
    const { code, out, err } = await create('object --cluster-template k8s -f json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ name: 'object', status: 'CREATE_IN_PROGRESS', node_count: 1 })
    expect(err).toMatch(/^Request to create cluster [\da-f-]{36} accepted\n$/)
  })

  it('with --wait looks until it stands', async () => {
    const { code, out, err } = await create('waited --cluster-template k8s --wait -f json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ name: 'waited', status: 'CREATE_COMPLETE' })
    expect(err).toContain('waited: CREATE_IN_PROGRESS')
  })

  it('with --wait ends with the reason and the faults', async () => {
    const { code, out, err } = await create('x-fail-create --cluster-template k8s --wait')
    expect(code).toBe(1)
    expect(out).toMatch(/^Request to create cluster .* accepted\n$/)
    expect(err).toContain('coe: cluster "x-fail-create" is CREATE_FAILED: ')
    expect(err).toContain('default-master: Resource CREATE failed')
  })

  it('gives up waiting with exit 7, and says that it goes on', async () => {
    const { code, err } = await create('x-stuck --cluster-template k8s --wait --wait-timeout 90s')
    expect(code).toBe(7)
    expect(err).toContain(
      'coe: gave up waiting for cluster "x-stuck" to be complete after 90s; last seen: CREATE_IN_PROGRESS',
    )
    expect(err).toContain('hint: Magnum continues the change\nto check again, run: coe cluster wait x-stuck\n')
  })

  it('stops looking on Ctrl-C, and says that it goes on', async () => {
    const { code, err } = await cloud.run('cluster create y-stuck --cluster-template k8s --wait', pressCtrlC(cloud))
    expect(code).toBe(130)
    expect(err).toContain(
      'stopped waiting for cluster "y-stuck"; Magnum continues the change\nto check again, run: coe cluster wait y-stuck\n',
    )
  })
})

describe('a name that the project has', () => {
  // difference: duplicate-names
  it('is refused before anything is sent', async () => {
    const { code, err } = await create('cluster1 --cluster-template k8s --trace')
    expect(code).toBe(5)
    expect(err).toContain('coe: cluster "cluster1" exists already in ')
    expect(err).toContain('--if-not-exists accepts it as it is, --allow-duplicate creates another')
    expect(changesSent(err)).toEqual([])
  })

  it('is taken with --if-not-exists, unchanged', async () => {
    const { code, out } = await create('cluster1 --cluster-template k8s --if-not-exists')
    expect(code).toBe(0)
    expect(out).toMatch(/^Cluster cluster1 exists already \([\da-f-]{36}\): unchanged\n$/)
    const again = await create('cluster1 --cluster-template k8s --if-not-exists --wait -f json')
    expect(JSON.parse(again.out)).toMatchObject({ name: 'cluster1', status: 'CREATE_COMPLETE' })
  })

  it('is no use when that cluster failed', async () => {
    const { code, err } = await create('x-fail-create --cluster-template k8s --if-not-exists')
    expect(code).toBe(5)
    expect(err).toContain('exists already')
    expect(err).toContain('but it is CREATE_FAILED')
    expect(err).toContain('coe cluster delete x-fail-create --wait')
  })

  it('is given twice with --allow-duplicate', async () => {
    expect((await create('twice --cluster-template k8s --allow-duplicate')).code).toBe(0)
    cloud.sandbox.clock.advance(10_000)
    expect((await create('twice --cluster-template k8s --allow-duplicate')).code).toBe(0)
    cloud.sandbox.clock.advance(10_000)
    expect(await named('twice')).toHaveLength(2)
    const { code, err } = await create('twice --cluster-template k8s')
    expect(code).toBe(5)
    expect(err.match(/[\da-f]{8}-[\da-f-]{27}/g)).toHaveLength(2)
  })

  it('may be one that another project has, for an administrator who sees all', async () => {
    const run = cloud.as('admin', 'admin')
    const templates = cloud.sandbox.openstack.state.store.templates
    for (const template of templates.values()) template.public = true
    const { code, out } = await run('cluster create cluster1 --cluster-template k8s')
    expect({ code, out: out.slice(0, 25) }).toEqual({ code: 0, out: 'Request to create cluster' })
  })
})

describe('an answer that was lost', () => {
  // difference: lost-answers
  it('is settled by looking: the cluster was made, once', async () => {
    cloud.sandbox.faults.order({
      service: 'magnum',
      method: 'POST',
      path: /clusters$/,
      effect: { kind: 'reset-after' },
    })
    const { code, out } = await create('lost --cluster-template k8s')
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Request to create cluster .* accepted\n$/),
    })
    const uuids = await named('lost')
    expect(uuids).toHaveLength(1)
    expect(out).toContain(uuids[0])
  })

  it('is settled by looking: it was not made, and that is said', async () => {
    cloud.sandbox.faults.order({
      service: 'magnum',
      method: 'POST',
      path: /clusters$/,
      effect: { kind: 'reset-before' },
    })
    const { code, out, err } = await create('never --cluster-template k8s')
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain('the answer to the request was lost, and cluster "never" was not created')
    expect(err).toContain('hint: it is safe to run this again')
    expect(await named('never')).toEqual([])
  })
})

it('says nothing beside the object where it shall be quiet', async () => {
  const { code, out, err } = await create('unspoken --cluster-template k8s -f value -c name -q')
  expect({ code, out, err }).toEqual({ code: 0, out: 'unspoken\n', err: '' })
})

describe('labels', () => {
  // difference: lost-labels
  it('that replace the template’s are warned of, by name', async () => {
    const { code, err } = await create('bare --cluster-template k8s --label a=b')
    expect(code).toBe(0)
    expect(err).toContain(
      'warning: the labels on the command line replace those of template "k8s": the cluster will not have kube_tag',
    )
    expect(err).toContain('--merge-labels keeps them')
  })

  it.each(['--label kube_tag=v1 ', '--label a=b --merge-labels', ''])(
    'are no reason to warn with "%s"',
    async labels => {
      const { code, err } = await create(`quiet${labels.length} --cluster-template k8s ${labels}`)
      expect({ code, err }).toEqual({ code: 0, err: '' })
    },
  )
})

describe('what is wrong on the line', () => {
  it.each([
    ['a', '"coe cluster create" needs --cluster-template'],
    [
      'a --cluster-template k8s --floating-ip-enabled --floating-ip-disabled',
      '--floating-ip-enabled and --floating-ip-disabled are mutually exclusive and should be specified only once',
    ],
    [
      'a --cluster-template k8s --master-lb-enabled --master-lb-enabled',
      '--master-lb-enabled and --master-lb-disabled are mutually exclusive and should be specified only once',
    ],
    [
      'a --cluster-template k8s --master-lb-disabled --master-count 3',
      'master node count can only be one if master loadbalancer is disabled',
    ],
    ['a --cluster-template k8s --labels a=1,b=2,3', '--labels: "3" is not of the form KEY=VALUE'],
    ['a --cluster-template k8s --label a', '--label: "a" is not of the form KEY=VALUE'],
    ['a --cluster-template k8s --if-not-exists --allow-duplicate', 'exclude each other'],
    ['a --cluster-template k8s --node-count -1', '--node-count: -1 is less than 0'],
    ['a --cluster-template k8s --wait-timeout soon', 'is not a duration'],
  ])('%s', async (line, says) => {
    cloud.sandbox.log.clear()
    const { code, out, err } = await create(line)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(says)
    expect(cloud.sandbox.log.all()).toEqual([])
  })

  it('is told what to do about what the server refuses', async () => {
    const template = 'single --coe kubernetes --image fedora-coreos-38 --external-network public --flavor m1.small'
    expect((await cloud.run(`cluster template create ${template}`)).code).toBe(0)
    for (const [options, hint] of [
      ['--master-count 3', '--master-lb-enabled'],
      ['--flavor m1.smal', 'openstack flavor list'],
    ] as const) {
      const { code, err } = await create(`hinted --cluster-template single ${options}`)
      expect(code).toBe(1)
      expect(err).toMatch(/\(magnum: HTTP 400, request req-.*\nhint: /)
      expect(err).toContain(hint)
    }
    const nowhere = await cloud.run(`cluster template create ${template.replace('public', 'nonet')} --allow-duplicate`)
    expect(nowhere.err).toContain('hint: to see the networks: openstack network list')
  })

  it('is told of a template that is not there, with what is near', async () => {
    const { code, err } = await create('a --cluster-template k9s')
    expect(code).toBe(3)
    expect(err).toContain('coe: no cluster template "k9s" in ')
    expect(err).toContain('did you mean "k8s"?')
  })

  it('is told of a template name that several have, with their uuids', async () => {
    await cloud.run(
      'cluster template create k8s --coe kubernetes --image fedora-coreos-38 --external-network public --allow-duplicate',
    )
    const { code, err } = await create('a --cluster-template k8s')
    expect(code).toBe(5)
    expect(err).toContain('"k8s" is the name of 2 cluster templates in ')
    expect(err).toMatch(/hint: name the cluster template by its uuid: [\da-f-]{36}, [\da-f-]{36}/)
  })
})
