import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startCloud, type TestCloud } from '../../support/cloud.ts'
import { changesSent } from '../../support/sent.ts'

let cloud: TestCloud
const least = '--coe kubernetes --image fedora-coreos-38 --external-network public'

beforeAll(async () => {
  cloud = await startCloud({ clusters: 1 })
})
afterAll(() => cloud.close())
beforeEach(() => {
  cloud.sandbox.faults.clear()
  cloud.sandbox.log.clear()
})

const sent = (method: string) => cloud.sandbox.log.all().filter(e => e.method === method && e.url.startsWith('/v1/'))

describe('coe cluster template create', () => {
  it('prints the line of upstream, then the table, both on stdout', async () => {
    const { code, out, err } = await cloud.run(`cluster template create t1 ${least} --flavor m1.small`)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const lines = out.split('\n')
    expect(lines[0]).toBe('Request to create cluster template t1 accepted')
    expect(lines[2]).toMatch(/^\| Field {5,}\| Value +\|$/)
    expect(out).toMatch(/\| keypair_id +\| - +\|/)
    expect(out).toMatch(/\| dns_nameserver +\| 8\.8\.8\.8 +\|/)
    expect(out).not.toContain('project_id')
  })

  // difference: only-what-was-said
  it('sends what was said and the defaults of upstream, and no nulls', async () => {
    const { err } = await cloud.run(`cluster template create bare ${least} --flavor m1.small --trace`)
    expect(changesSent(err).map(s => s.body)).toEqual([
      {
        name: 'bare',
        coe: 'kubernetes',
        image_id: 'fedora-coreos-38',
        external_network_id: 'public',
        dns_nameserver: '8.8.8.8',
        flavor_id: 'm1.small',
        docker_storage_driver: 'overlay2',
        server_type: 'vm',
      },
    ])
  })

  it('puts every option where it belongs', async () => {
    const options = [
      ...[
        '--keypair',
        'testkey',
        '--fixed-network',
        'private',
        '--fixed-subnet',
        'private-subnet',
        '--network-driver',
        'calico',
      ],
      ...[
        '--volume-driver',
        'cinder',
        '--dns-nameserver',
        '1.1.1.1',
        '--flavor',
        'm1.small',
        '--master-flavor',
        'm1.small',
      ],
      ...[
        '--docker-volume-size',
        '20',
        '--docker-storage-driver',
        'overlay2',
        '--http-proxy',
        'http://p',
        '--https-proxy',
        'http://q',
      ],
      ...[
        '--no-proxy',
        'local',
        '--insecure-registry',
        'reg:5000',
        '--labels',
        'a=1;b=2',
        '--label',
        'c=x,y=z',
        '--tls-disabled',
      ],
      ...[
        '--registry-enabled',
        '--server-type',
        'vm',
        '--master-lb-enabled',
        '--floating-ip-disabled',
        '--tags',
        'z,b',
        '--tags',
        'a,z',
      ],
    ]
    const words = `cluster template create full ${least} --trace`.split(' ')
    const { code, err } = await cloud.run([...words, ...options])
    expect(code).toBe(0)
    expect(changesSent(err)[0]?.body).toMatchObject({
      keypair_id: 'testkey',
      fixed_network: 'private',
      fixed_subnet: 'private-subnet',
      network_driver: 'calico',
      volume_driver: 'cinder',
      dns_nameserver: '1.1.1.1',
      flavor_id: 'm1.small',
      master_flavor_id: 'm1.small',
      docker_volume_size: 20,
      http_proxy: 'http://p',
      https_proxy: 'http://q',
      no_proxy: 'local',
      insecure_registry: 'reg:5000',
      labels: { a: '1', b: '2', c: 'x,y=z' },
      tls_disabled: true,
      registry_enabled: true,
      master_lb_enabled: true,
      floating_ip_enabled: false,
      tags: 'z,b,a',
    })
  })

  // difference: json-created-line
  it('with -f gives the object alone on stdout, with real nulls, and the line on stderr', async () => {
    const { out, err } = await cloud.run(`cluster template create t2 ${least} --flavor m1.small -f json`)
    const object = JSON.parse(out)
    expect(object).toMatchObject({ name: 't2', keypair_id: null, labels: {}, public: false, tags: null })
    expect(err).toBe('Request to create cluster template t2 accepted\n')
  })

  it('refuses a name that the project has, unless told what to do', async () => {
    const again = `cluster template create k8s ${least} --flavor m1.small`
    const refused = await cloud.run(again)
    expect({ code: refused.code, out: refused.out }).toEqual({ code: 5, out: '' })
    expect(refused.err).toContain('cluster template "k8s" exists already')
    expect(refused.err).toContain('--if-not-exists')
    expect(sent('POST')).toEqual([])
    const taken = await cloud.run(`${again} --if-not-exists -f value -c name`)
    expect(taken).toMatchObject({ code: 0, out: 'k8s\n' })
    expect(taken.err).toContain('unchanged')
    expect((await cloud.run(`${again} --allow-duplicate`)).code).toBe(0)
    const ambiguous = await cloud.run('cluster template show k8s')
    expect(ambiguous.code).toBe(5)
    expect(ambiguous.err).toMatch(/name the cluster template by its uuid: [\da-f-]{36}, [\da-f-]{36}/)
    const listed = await cloud.run('cluster template list -f value -c uuid -c name')
    const uuids = listed.out
      .split('\n')
      .filter(l => l.endsWith(' k8s'))
      .map(l => l.split(' ')[0])
    expect((await cloud.run(`cluster template delete ${uuids[1]}`)).code).toBe(0)
  })

  it('settles a lost answer by looking, and never sends twice', async () => {
    cloud.sandbox.faults.order({ method: 'POST', path: /clustertemplates/, effect: { kind: 'reset-after' } })
    const { code, out } = await cloud.run(`cluster template create lost ${least} --flavor m1.small -f value -c name`)
    expect({ code, out }).toEqual({ code: 0, out: 'lost\n' })
    expect(sent('POST').length).toBe(1)
  })

  it.each([
    ['--floating-ip-enabled --floating-ip-disabled', 'mutually exclusive'],
    ['--floating-ip-enabled --floating-ip-enabled', 'only once'],
    ['--docker-volume-size big', '"big" is not a whole number'],
    ['--labels a=1,b=2,3', '"3" is not of the form KEY=VALUE'],
    ['--if-not-exists --allow-duplicate', 'exclude each other'],
  ])('%s is a mistake on the line', async (options, says) => {
    const { code, err } = await cloud.run(`cluster template create x ${least} ${options}`)
    expect(code).toBe(2)
    expect(err).toContain(says)
    expect(sent('POST')).toEqual([])
  })

  // difference: whole-errors
  it('says all of what the server says, and warns of what is deprecated', async () => {
    const { code, err } = await cloud.run(
      `cluster template create x --coe kubernetes --image nosuch --external-network public --flavor m1.small --docker-storage-driver overlay`,
    )
    expect(code).toBe(1)
    expect(err).toContain('storage driver overlay is deprecated')
    expect(err).toMatch(/Cluster type \(vm, Unset, kubernetes\) not supported \(magnum: HTTP 400, request req-/)
    expect(err).toContain('check --image')
  })
})

describe('coe cluster template list and show', () => {
  // difference: template-project
  it('has the rows of the older client; the project, where the newer one has it, when asked', async () => {
    const rows = async (how: string) => {
      const { out } = await cloud.run(`cluster template show k8s ${how}`)
      return out.split('\n').flatMap(line => /^\| (\w+) /.exec(line)?.[1] ?? [])
    }
    expect(await rows('')).not.toContain('project_id')
    const wide = await rows('-o wide')
    expect(wide.slice(wide.indexOf('dns_nameserver')).slice(0, 3)).toEqual(['dns_nameserver', 'project_id', 'hidden'])
    expect(await rows('-c tags -c project_id -c dns_nameserver')).toEqual([
      'Field',
      'dns_nameserver',
      'project_id',
      'tags',
    ])
  })

  it("list has upstream's columns, and more with --fields", async () => {
    const { out } = await cloud.run('cluster template list --limit 1 --fields coe,labels -f csv')
    expect(out.split('\n')[0]).toBe('"uuid","name","tags","coe","labels"')
    expect(out).toMatch(/"k8s","","kubernetes","\{'kube_tag': 'v1.23.3'\}"/)
    const wide = await cloud.run('cluster template list --long --limit 1 -f json')
    expect(JSON.parse(wide.out)[0]).toMatchObject({ name: 'k8s', public: false, image_id: 'fedora-coreos-38' })
  })

  // difference: all-pages
  it('follows all pages', async () => {
    const small = await startCloud({ maxLimit: 2 })
    for (const name of ['p1', 'p2', 'p3', 'p4', 'p5']) {
      await small.run(`cluster template create ${name} ${least} --flavor m1.small`)
    }
    const { out } = await small.run('cluster template list -f value -c name')
    expect(out).toBe('p1\np2\np3\np4\np5\n')
    expect((await small.run('cluster template list --limit 3 -o name')).out).toBe('p1\np2\np3\n')
    await small.close()
  })

  it('show says what was meant when there is none', async () => {
    const { code, err } = await cloud.run('cluster template show k8')
    expect(code).toBe(3)
    expect(err).toBe('coe: no cluster template "k8" in cloud "envvars", project demo\nhint: did you mean "k8s"?\n')
  })

  // difference: json-nulls
  it('show spells null as a dash in text and as null in JSON', async () => {
    expect((await cloud.run('cluster template show k8s -f value -c fixed_network')).out).toBe('-\n')
    expect((await cloud.run('cluster template show k8s -f yaml -c fixed_network')).out).toBe("fixed_network: '-'\n")
    expect(JSON.parse((await cloud.run('cluster template show k8s -f json')).out).fixed_network).toBe(null)
  })
})

describe('coe cluster template update', () => {
  beforeAll(async () => {
    await cloud.run(`cluster template create free ${least} --flavor m1.small --labels a=b`)
  })

  // difference: both-dialects
  it('understands the older dialect', async () => {
    const { code, out } = await cloud.run(
      'cluster template update free replace dns_nameserver=9.9.9.9 docker_volume_size=12 labels=u=v,w=x -f json',
    )
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      dns_nameserver: '9.9.9.9',
      docker_volume_size: 12,
      labels: { u: 'v', w: 'x' },
    })
    expect(
      (await cloud.run('cluster template update free remove docker_volume_size -f value -c docker_volume_size')).out,
    ).toBe('-\n')
  })

  it('understands the newer one', async () => {
    const { code, err } = await cloud.run(
      'cluster template update free --trace --name freed --image fedora-coreos-38 --network-driver calico --docker-volume-size 5 --label a=true --no-label u --tag t2 --tag t1 --registry-enabled --floating-ip-disabled',
    )
    expect(code).toBe(0)
    expect(changesSent(err)[0]?.body).toEqual([
      { op: 'replace', path: '/name', value: 'freed' },
      { op: 'replace', path: '/image_id', value: 'fedora-coreos-38' },
      { op: 'replace', path: '/network_driver', value: 'calico' },
      { op: 'replace', path: '/docker_volume_size', value: 5 },
      { op: 'replace', path: '/tags', value: 't2,t1' },
      { op: 'replace', path: '/registry_enabled', value: true },
      { op: 'replace', path: '/floating_ip_enabled', value: false },
      { op: 'add', path: '/labels/a', value: 'true' },
      { op: 'remove', path: '/labels/u' },
    ])
    expect((await cloud.run('cluster template update freed --name free')).code).toBe(0)
  })

  // difference: odd-label-keys
  it('changes labels whose keys no path can carry as a whole, keeping the others', async () => {
    const { out } = await cloud.run('cluster template update free --label example.com/x=1 --no-label w -f json')
    expect(JSON.parse(out).labels).toEqual({ a: 'true', 'example.com/x': '1' })
  })

  // difference: frozen-templates
  it('changes one that is in use field by field', async () => {
    const { code, out, err } = await cloud.run('cluster template update k8s --name k8s2 --tag old -f json --trace')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ name: 'k8s2', tags: 'old' })
    expect(changesSent(err).map(s => s.body.length)).toEqual([2, 1, 1])
    await cloud.run('cluster template update k8s2 --name k8s')
  })

  it('leaves one in use alone that is so already: the server refuses even that', async () => {
    const line = 'cluster template update k8s --visible --tag kept -f json'
    const first = await cloud.run(line)
    const again = await cloud.run(line)
    expect(again.code).toBe(0)
    const { updated_at, ...rest } = JSON.parse(again.out)
    expect(JSON.parse(first.out)).toMatchObject(rest)
    expect((await cloud.run('cluster template update k8s replace name=k8s')).code).toBe(0)
  })

  it('says what is frozen of one that is in use', async () => {
    const { code, err } = await cloud.run('cluster template update k8s --name new --flavor m1.large')
    expect(code).toBe(5)
    expect(err).toContain('cluster template "k8s" is in use: its flavor_id can no longer be changed')
    expect(sent('PATCH').length).toBe(1)
  })

  it.each([
    ['', 'nothing to update'],
    ['replace', '"replace" needs something to replace'],
    ['replace name', '"name" is not of the form path=value'],
    ['change name=x', '"change" is not one of add, replace, remove'],
    ['--public --private', 'mutually exclusive'],
    ['--name a replace name=b', 'name is given twice, with different values'],
    ['--label a=1 --no-label a', 'label "a" cannot be set and removed at once'],
    ['replace labels/a.b=c', '--label KEY=VALUE or --no-label KEY'],
    ['replace name=null', '"remove name" removes it'],
  ])('"%s" is a mistake on the line', async (words, says) => {
    const { code, err } = await cloud.run(`cluster template update free ${words}`)
    expect(code).toBe(2)
    expect(err).toContain(says)
    expect(sent('PATCH')).toEqual([])
  })
})

describe('coe cluster template delete', () => {
  it('goes on after a failure, reports each, and tells by its exit code that some failed', async () => {
    for (const name of ['d1', 'd2']) await cloud.run(`cluster template create ${name} ${least} --flavor m1.small`)
    const { code, out, err } = await cloud.run('cluster template delete d1 nosuch k8s d2')
    expect(code).toBe(6)
    expect(out).toBe(
      'Request to delete cluster template d1 has been accepted.\nRequest to delete cluster template d2 has been accepted.\n',
    )
    expect(err).toContain('no cluster template "nosuch"')
    expect(err).toContain('cluster template "k8s" is used by 1 cluster: cluster1')
    expect((await cloud.run('cluster template list -o name')).out).not.toMatch(/^d\d$/m)
  })

  it('takes no offence at what is not there with --ignore-not-found', async () => {
    const { code, out } = await cloud.run('cluster template delete nosuch --ignore-not-found -f json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual([{ template: 'nosuch', result: 'missing' }])
    expect((await cloud.run('cluster template delete nosuch')).code).toBe(3)
  })
})
