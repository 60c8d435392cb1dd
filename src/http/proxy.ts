/** Proxies as curl and Python read them: lower-case variables first, NO_PROXY by host, suffix, address and network. */
import { BlockList, isIP } from 'node:net'
import type { Agents } from 'got'
import { usage } from '../core/errors.ts'
import { relayAgent, tunnelAgent } from './proxy-agent.ts'
import type { EndpointSettings } from './transport.ts'

type Env = Readonly<Record<string, string | undefined>>

const either = (env: Env, name: string): string | undefined => env[name] || env[name.toUpperCase()] || undefined

/** Whether NO_PROXY exempts this host. */
export function bypasses(noProxy: string | undefined, host: string, port: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase()
  const family = isIP(name)
  return (noProxy ?? '').split(/[\s,]+/).some(raw => {
    const entry = raw.toLowerCase()
    if (!entry) return false
    if (entry === '*') return true
    const [, pattern = entry, wantedPort] =
      /^(.+?)(?::(\d+))?$/.exec(entry.startsWith('[') || !isIP(entry) ? entry : '') ?? []
    if (wantedPort && wantedPort !== port) return false
    const bare = pattern.replace(/^\[|\]$/g, '')
    if (family && bare.includes('/')) return inNetwork(name, family, bare)
    if (family) return bare === name
    const suffix = bare.replace(/^\*?\./, '')
    return name === suffix || name.endsWith(`.${suffix}`)
  })
}

function inNetwork(address: string, family: number, network: string): boolean {
  const [net = '', bits = ''] = network.split('/')
  const most = family === 6 ? 128 : 32
  // an invalid network exempts no host
  if (isIP(net) !== family || !/^\d+$/.test(bits) || Number(bits) > most) return false
  const type = family === 6 ? 'ipv6' : 'ipv4'
  const list = new BlockList()
  list.addSubnet(net, Number(bits), type)
  return list.check(address, type)
}

export function proxyFor(url: string, env: Env): string | undefined {
  const { protocol, hostname, port } = new URL(url)
  const secure = protocol === 'https:'
  if (bypasses(either(env, 'no_proxy'), hostname, port || (secure ? '443' : '80'))) return undefined
  return either(env, secure ? 'https_proxy' : 'http_proxy') ?? either(env, 'all_proxy')
}

/** The proxy of an endpoint, if any. */
export function proxyOf({ proxyUrl, url, env }: EndpointSettings): string | undefined {
  const proxy = proxyUrl ?? proxyFor(url, env)
  return !proxy || proxy.includes('://') ? proxy : `http://${proxy}`
}

export function proxyAgent(settings: EndpointSettings, limitMs: number): Agents | undefined {
  const withScheme = proxyOf(settings)
  if (!withScheme) return undefined
  const shown = withScheme.replace(/\/\/[^@/]*@/, '//')
  if (!/^https?:/.test(withScheme)) {
    throw usage(`the proxy ${shown} is not an HTTP proxy`, { hint: 'http:// and https:// proxies are supported' })
  }
  if (!URL.canParse(withScheme)) throw usage(`the proxy ${shown} is not an address like http://proxy.example.com:3128`)
  const through = { proxy: new URL(withScheme), limitMs }
  return settings.url.startsWith('https:') ? { https: tunnelAgent(through) } : { http: relayAgent(through) }
}
