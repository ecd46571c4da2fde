import { promises as dns, type LookupAddress, type LookupAllOptions } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import { callbackify } from 'node:util'

/** IPv4 ranges not on the public internet (IANA's special-purpose registry), plus multicast. */
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

/** A public IP but internal to a cloud: tells Azure's machines who they are, including their credentials. */
const ofTheCloud = '168.63.129.16'

/** Ranges within routed unicast IPv6: protocol assignments with Teredo, documentation, 6to4. Nobody receives webhooks there. */
const reservedV6: readonly (readonly [net: string, bits: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

/** How a network without its own IPv4 writes others' IPv4 addresses (NAT64). */
const nat64 = '64:ff9b::'

const reserved = new BlockList()
for (const [net, bits] of [...reservedV4, [ofTheCloud, 32] as const]) {
  reserved.addSubnet(net, bits, 'ipv4')
  reserved.addSubnet(`${nat64}${net}`, 96 + bits, 'ipv6')
}
for (const [net, bits] of reservedV6) reserved.addSubnet(net, bits, 'ipv6')

/** All other IPv6 is loopback, local, multicast, disguised IPv4, or unassigned. */
const routedV6 = new BlockList()
routedV6.addSubnet('2000::', 3, 'ipv6')
routedV6.addSubnet(nat64, 96, 'ipv6')

type Interfaces = () => ReturnType<typeof networkInterfaces>

/**
 * Whether an IP address is on the public internet: false for private, local and special ones, for invalid ones, and for this machine, whose
 * services may listen on its public addresses just for itself.
 */
export const isPublicAddress = (address: string, interfaces: Interfaces = networkInterfaces): boolean =>
  isPublic(address, ownAddresses(interfaces))

function isPublic(address: string, own: BlockList): boolean {
  switch (isIP(address)) {
    case 4:
      return !reserved.check(address, 'ipv4') && !own.check(address, 'ipv4')
    case 6:
      if (address.includes('%') || !routedV6.check(address, 'ipv6')) return false
      return !reserved.check(address, 'ipv6') && !own.check(address, 'ipv6')
    default:
      return false
  }
}

/** The largest sites have a dozen; a name server may name thousands, each of which would be checked and tried. */
const mostAddresses = 32

/** Read once per name: a machine's addresses change while it runs. */
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

/** The IP address that a URL has instead of a name; null for a name. `URL` has already normalized other IPv4 notations (`0x7f.1`). */
export function literalAddress({ hostname }: URL): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return isIP(bare) === 0 ? null : bare
}

/** `host:port` with an explicit port, for comparing two URLs. */
export const hostAndPort = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`

/** Whether a URL's `host:port` is among the given ones. */
export const isAmong = (hosts: readonly string[], url: URL): boolean =>
  hosts.some((host) => URL.canParse(`http://${host}`) && hostAndPort(new URL(`http://${host}`)) === hostAndPort(url))

/** Thrown by `publicLookup` for a name that resolves outside of the public internet, or to more addresses than any site has. */
export class BlockedAddress extends Error {
  override name = 'BlockedAddress'
}

export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** Per question and name server; the second attempt waits twice as long. */
const lookup = { timeout: 2_000, tries: 2 }
const doesNotExist = ['ENOTFOUND', 'ENODATA']

/** @throws an error with the code ENOTFOUND, or EAI_AGAIN if nobody could say */
async function addressesOf(hostname: string, signal: AbortSignal, servers?: readonly string[]): Promise<LookupAddress[]> {
  const resolver = new dns.Resolver(lookup)
  if (servers) resolver.setServers(servers)
  const cancel = (): void => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  const answers = await Promise.allSettled([
    resolver.resolve4(hostname).then((found) => found.map((address) => ({ address, family: 4 }))),
    resolver.resolve6(hostname).then((found) => found.map((address) => ({ address, family: 6 }))),
  ])
  signal.removeEventListener('abort', cancel)
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length > 0) return addresses
  const codes = answers.map((answer) => (answer.status === 'rejected' ? (answer.reason as NodeJS.ErrnoException).code : undefined) ?? '')
  const code = codes.every((each) => doesNotExist.includes(each)) ? 'ENOTFOUND' : 'EAI_AGAIN'
  throw Object.assign(new Error(`${hostname} was not resolved: ${codes.join(', ')}`), { code })
}

/**
 * Resolves names by asking the name servers itself. The system's lookup would hold one of the few threads that logins, files and all other
 * lookups share, and can't be canceled: names whose servers never answer would take them all.
 * @param signal ends it
 * @param servers this machine's by default
 */
export const askNameServers =
  (signal: AbortSignal, servers?: readonly string[]): Resolve =>
  (hostname, _options, callback) =>
    callbackify(() => addressesOf(hostname, signal, servers))(callback)

/**
 * Resolves a name for `node:net` and returns its addresses only if all are public. The connection uses the addresses checked here: a name
 * that resolves differently the next time gains nothing.
 */
export const publicLookup =
  (resolve: Resolve, interfaces: Interfaces = networkInterfaces): LookupFunction =>
  (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? []
      if (error) return callback(error, [])
      if (first === undefined || addresses.length > mostAddresses) return callback(new BlockedAddress(), [])
      const own = ownAddresses(interfaces)
      if (!addresses.every(({ address }) => isPublic(address, own))) return callback(new BlockedAddress(), [])
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family)
    })
