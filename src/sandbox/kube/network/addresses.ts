import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** The addresses of one sandbox: its own part of loopback if the system has 127/8, else 127.0.0.1. */
export interface AddressPlan {
  /** Port 0 lets the system choose. */
  apiServer(index: number): { host: string; port: number }
  node(index: number): string
  loadBalancer(): string
}

function canBind(host: string): Promise<boolean> {
  return new Promise(resolve => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(6443, host, () => probe.close(() => resolve(true)))
  })
}

/** Several sandboxes may run in parallel, so each draws its own third part of the address. */
export async function planAddresses(): Promise<AddressPlan> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const subnet = `127.${randomInt(16, 250)}.${randomInt(0, 255)}`
    if (!(await canBind(`${subnet}.1`))) continue
    let balancers = 0
    return {
      apiServer: index => ({ host: `${subnet}.${(index % 190) + 1}`, port: 6443 + Math.floor(index / 190) }),
      node: index => `${subnet}.${200 + (index % 20)}`,
      loadBalancer: () => `${subnet}.${220 + (balancers++ % 30)}`,
    }
  }
  return { apiServer: () => ({ host: '127.0.0.1', port: 0 }), node: () => '127.0.0.1', loadBalancer: () => '127.0.0.1' }
}
