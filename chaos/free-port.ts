import { once } from 'node:events'
import { createServer } from 'node:net'

/** A currently unused port; a server that is killed gets the same one again. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('No port')
  return address.port
}
