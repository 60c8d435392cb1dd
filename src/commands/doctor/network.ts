/** Checks the connection to a server step by step: its name, then its port. */
import { lookup } from 'node:dns/promises'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import type { Context } from '../../cli/context.ts'
import { transportError } from '../../http/failure.ts'
import { proxyFor } from '../../http/proxy.ts'
import { type Check, failure, ok, skip, within } from './check.ts'

const stepMs = 5_000

export interface Target {
  /** The prefix of the checks' names: `keystone`. */
  label: string
  /** The name of the service in errors: `Keystone`. */
  name: string
  url: string
  /** Checked instead of the server, if there is one. */
  proxy: string | undefined
  signal: AbortSignal
  /** For each step; five seconds by default. */
  limitMs?: number
}

export interface Address {
  host: string
  port: number
}

export function addressOf(url: string): Address {
  const { hostname, port, protocol } = new URL(url)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (protocol === 'https:' ? 443 : 80) }
}

/** Looks up the name and opens the port of the server, or of its proxy. */
export async function reach(target: Target): Promise<Check[]> {
  const { label, name, signal, limitMs = stepMs } = target
  const url = target.proxy ?? target.url
  const peer = target.proxy ? { name: `the proxy for ${name}`, url } : { name, url }
  const { host, port } = addressOf(url)
  const via = target.proxy ? ' (proxy)' : ''
  const dns = `${label} dns`
  const tcp = `${label} tcp`
  let addresses: string
  try {
    addresses = await within(stepMs, signal, () => resolved(host))
  } catch (error) {
    return [
      failure(dns, transportError(error, peer, stepMs), 'DNS does not answer; check the network'),
      skip(tcp, 'its name cannot be resolved'),
    ]
  }
  const named = ok(dns, isIP(host) ? `${host} is an address${via}` : `${host} is ${addresses}${via}`)
  try {
    const socket = await within(limitMs, signal, inner => open(host, port, inner))
    socket.destroy()
    return [named, ok(tcp, `port ${port} of ${host} is open${via}`)]
  } catch (error) {
    return [
      named,
      failure(tcp, transportError(error, peer, limitMs), 'does a firewall drop the packets, or is a VPN needed?'),
    ]
  }
}

async function resolved(host: string): Promise<string> {
  const found = await lookup(host, { all: true })
  return found.map(a => a.address).join(', ')
}

/** Resolves with the connected socket, or rejects with the system's error. */
export function open(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host, port, signal })
    socket.once('connect', () => resolve(socket))
    socket.once('error', reject)
  })
}

/** Undefined for an invalid proxy, which the check of proxies reports. */
export function proxied(context: Context, url: string): string | undefined {
  const proxy = proxyFor(url, context.world.env)
  if (proxy === undefined) return undefined
  const proxyUrl = proxy.includes('://') ? proxy : `http://${proxy}`
  return URL.canParse(proxyUrl) && addressOf(proxyUrl).host ? proxyUrl : undefined
}
