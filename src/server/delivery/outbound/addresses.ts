import { lookup as systemLookup, type LookupAddress, type LookupAllOptions } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'

/** IPv4 that is nobody's on the public internet (IANA's special-purpose registry), with multicast. */
const reservedV4: readonly (readonly [net: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** Public by its number, and a cloud's own inside: what tells Azure's machines who they are, with their credentials. */
const ofTheCloud = '168.63.129.16'

/** Of the unicast IPv6 that is routed: protocol assignments with Teredo, documentation, 6to4. Nobody receives webhooks there. */
const reservedV6: readonly (readonly [net: string, bits: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

/** How a network without IPv4 of its own writes the IPv4 addresses of others (NAT64). */
const nat64 = '64:ff9b::'

const reserved = new BlockList()
for (const [net, bits] of [...reservedV4, [ofTheCloud, 32] as const]) {
  reserved.addSubnet(net, bits, 'ipv4')
  reserved.addSubnet(`${nat64}${net}`, 96 + bits, 'ipv6')
}
for (const [net, bits] of reservedV6) reserved.addSubnet(net, bits, 'ipv6')

/** All other IPv6 is loopback, local, multicast, IPv4 in disguise, or nobody's yet. */
const routedV6 = new BlockList()
routedV6.addSubnet('2000::', 3, 'ipv6')
routedV6.addSubnet(nat64, 96, 'ipv6')

type Interfaces = () => ReturnType<typeof networkInterfaces>

/**
 * Whether an IP address is one of the public internet: false for anything private, local, special, no address at all, or
 * this machine, whose services may listen on its public addresses for itself.
 */
export function isPublicAddress(address: string, interfaces: Interfaces = networkInterfaces): boolean {
  switch (isIP(address)) {
    case 4:
      return !reserved.check(address, 'ipv4') && !ownAddresses(interfaces).check(address, 'ipv4')
    case 6:
      if (address.includes('%') || !routedV6.check(address, 'ipv6')) return false
      return !reserved.check(address, 'ipv6') && !ownAddresses(interfaces).check(address, 'ipv6')
    default:
      return false
  }
}

/** Asked for each time: a machine gets others while it runs. */
function ownAddresses(interfaces: Interfaces): BlockList {
  const own = new BlockList()
  for (const { address, family } of Object.values(interfaces()).flatMap((each) => each ?? [])) {
    if (family === 'IPv6') own.addAddress(address, 'ipv6')
    else {
      own.addAddress(address, 'ipv4')
      own.addAddress(`${nat64}${address}`, 'ipv6')
    }
  }
  return own
}

/** The IP address that a URL holds instead of a name; null for a name. Other ways to write IPv4 (`0x7f.1`) are normal by then. */
export function literalAddress({ hostname }: URL): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return isIP(bare) === 0 ? null : bare
}

/** `host:port` with the port written out, as two URLs are compared. */
export const hostAndPort = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`

/** Whether a URL goes to one of the `host:port` named. */
export const isAmong = (hosts: readonly string[], url: URL): boolean =>
  hosts.some((host) => URL.canParse(`http://${host}`) && hostAndPort(new URL(`http://${host}`)) === hostAndPort(url))

/** Thrown by `publicLookup` for a name that leads anywhere but into the public internet. */
export class BlockedAddress extends Error {
  override name = 'BlockedAddress'
}

export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/**
 * Looks a name up for `node:net` and hands over its addresses only if all of them are public. The connection goes to
 * what was looked at here: a name that answers otherwise the next time gains nothing.
 */
export const publicLookup =
  (resolve: Resolve = systemLookup, interfaces: Interfaces = networkInterfaces): LookupFunction =>
  (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? []
      if (error) return callback(error, [])
      if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address, interfaces)))
        return callback(new BlockedAddress(), [])
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family)
    })
