import { isIPv6 } from 'node:net'

/**
 * What is counted as one place on the network: an IPv4 address, also one written as IPv6, and of IPv6 the /64 that a single
 * line is given, whose addresses its owner changes at will. What is no address stands for itself.
 */
export const networkOf = (address: string): string => counted(address, 4)

/** The same, but of IPv6 the /48 that a whole customer is given at most, who moves between 65,536 of the former at will. */
export const wideNetworkOf = (address: string): string => counted(address, 3)

function counted(address: string, groupsKept: number): string {
  if (!isIPv6(address)) return address
  const groups = groupsOf(address)
  const isIPv4 = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff'
  return isIPv4 ? groups.slice(6).flatMap(bytesOf).join('.') : `${groups.slice(0, groupsKept).join(':')}::/${groupsKept * 16}`
}

/** The eight groups of an address, each in its shortest form. */
function groupsOf(address: string): string[] {
  const withoutZone = address.split('%')[0]
  // Whatever form it was written in, this knows one: small letters, no zeros in front, IPv4 in groups.
  const { hostname } = new URL(`http://[${withoutZone}]`)
  const [before = [], after = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''))
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after]
}

const bytesOf = (group: string): number[] => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]
