import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startCloud, type TestCloud } from '../../support/cloud.ts'

let cloud: TestCloud
beforeAll(async () => {
  cloud = await startCloud({ clusters: 1 })
  await cloud.run('cluster create x-fail-create --cluster-template k8s')
  cloud.sandbox.clock.advance(60_000)
})
afterAll(() => cloud.close())

const rows =
  'status health_status cluster_template_id node_addresses uuid stack_id status_reason created_at updated_at coe_version labels labels_overridden labels_skipped labels_added fixed_network fixed_subnet floating_ip_enabled faults keypair api_address master_addresses master_lb_enabled create_timeout node_count discovery_url docker_volume_size master_count container_version name master_flavor_id flavor_id health_status_reason project_id'.split(
    ' ',
  )

describe('coe cluster show', () => {
  it('has upstream’s rows in upstream’s order', async () => {
    const { code, out } = await cloud.run('cluster show cluster1')
    expect(code).toBe(0)
    const names = out
      .split('\n')
      .slice(3, -2)
      .map(line => line.split('|')[1]?.trim())
    expect(names).toEqual(rows)
  })

  // difference: json-absent-null
  it('spells values as Python does in text, and as what they are in JSON', async () => {
    const text = await cloud.run('cluster show cluster1 -f value -c labels -c master_lb_enabled -c discovery_url')
    expect(text.out.split('\n')[0]).toBe("{'kube_tag': 'v1.23.3'}")
    expect(text.out).toContain('True')
    const { labels, master_lb_enabled, faults } = JSON.parse((await cloud.run('cluster show cluster1 -f json')).out)
    expect({ labels, master_lb_enabled, faults }).toEqual({
      labels: { kube_tag: 'v1.23.3' },
      master_lb_enabled: true,
      faults: null,
    })
  })

  it('shows the faults of one that failed', async () => {
    const { out } = await cloud.run('cluster show x-fail-create -f json')
    const { status, faults } = JSON.parse(out)
    expect(status).toBe('CREATE_FAILED')
    expect(Object.keys(faults)).toEqual(['default-master', 'default-worker'])
  })

  it('takes one request, by name and by uuid', async () => {
    const uuid = (await cloud.run('cluster show cluster1 -f value -c uuid')).out.trim()
    for (const ref of ['cluster1', uuid]) {
      cloud.sandbox.log.clear()
      await cloud.run(`cluster show ${ref}`)
      expect(cloud.sandbox.log.all().map(e => `${e.method} ${e.url}`)).toEqual([`GET /v1/clusters/${ref}`])
    }
  })

  // difference: names-suggested
  it('tells what is near a name that is not there', async () => {
    const { code, out, err } = await cloud.run('cluster show clustre1')
    expect({ code, out }).toEqual({ code: 3, out: '' })
    expect(err).toMatch(
      /^coe: no cluster "clustre1" in cloud "envvars", project demo\nhint: did you mean "cluster1"\?\n$/,
    )
  })
})

describe('coe cluster show of a newer API version', () => {
  it('shows cluster_id, which it has in place of stack_id', async () => {
    const newer = await startCloud({ clusters: 1, magnumMax: '1.14' })
    try {
      const { out } = await newer.run('cluster show cluster1 --os-container-infra-api-version 1.13 -f json')
      const { stack_id, cluster_id } = JSON.parse(out)
      expect(cluster_id).toMatch(/./)
      expect(stack_id).toBeNull()
    } finally {
      await newer.close()
    }
  })
})
