import { networkInterfaces } from 'node:os'
import type { Log } from '../../platform/log.ts'

type Interfaces = typeof networkInterfaces

/**
 * Warns once if logins come from the gateway of one of this machine's own networks: no browser runs there, so Docker or a router hides client
 * addresses. Then everyone counts as one network, and one of them can block logins for all the others (docs/deploy.md). Other private addresses
 * prove nothing: people in an office have them.
 */
export function createHiddenAddresses(deps: { https: boolean; log: Log; interfaces?: Interfaces }): (address: string) => void {
  const { https, log, interfaces = networkInterfaces } = deps
  let isSaid = false
  return (address) => {
    if (isSaid || !https || !gatewaysOf(interfaces).includes(address)) return
    isSaid = true
    const what = "logins come from the gateway of this machine's network: something in front of the proxy hides client addresses"
    log.warn({ address }, `${what} (docs/deploy.md, "Check that client addresses arrive")`)
  }
}

/** The first address of each IPv4 network, as Docker and most routers choose it. */
function gatewaysOf(interfaces: Interfaces): string[] {
  return Object.values(interfaces())
    .flatMap((each) => each ?? [])
    .filter(({ family, internal, cidr }) => family === 'IPv4' && !internal && cidr !== null && Number(cidr.split('/')[1]) <= 30)
    .map(({ address, netmask }) => {
      const mask = netmask.split('.').map(Number)
      const first = address.split('.').map((byte, at) => Number(byte) & (mask[at] ?? 0))
      return [...first.slice(0, 3), (first[3] ?? 0) + 1].join('.')
    })
}
