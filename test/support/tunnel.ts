/** What kind and ssh -L give people: an address of this machine that leads to a cluster. */
import { connect, createServer } from 'node:net'

export interface Tunnel {
  url: string
  close(): void
}

export async function tunnelTo(url: string): Promise<Tunnel> {
  const { hostname, port } = new URL(url)
  const server = createServer(socket => {
    const onward = connect(Number(port), hostname)
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
    socket.pipe(onward).pipe(socket)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `https://127.0.0.1:${(server.address() as { port: number }).port}`,
    close: () => void server.close(),
  }
}
