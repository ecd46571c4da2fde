import { isIPv6 } from 'node:net'

/**
 * What counts as one place on the network: an IPv4 address, even if written as IPv6, and for IPv6 the /64 of a single line, whose owner can
 * change addresses at will. Anything else stands for itself.
 */
export const networkOf = (address: string): string => counted(address, 4)

/** Same, but for IPv6 the /48 that a whole customer gets at most, who can switch among 65,536 of the former at will. */
export const wideNetworkOf = (address: string): string => counted(address, 3)

/** The limit for all of a customer's networks together, as a multiple of one network's. */
export const wideTimes = 10

function counted(address: string, groupsKept: number): string {
  if (!isIPv6(address)) return address
  const groups = groupsOf(address)
  const isIPv4 = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff'
  return isIPv4 ? groups.slice(6).flatMap(bytesOf).join('.') : `${groups.slice(0, groupsKept).join(':')}::/${groupsKept * 16}`
}

/** The eight groups of an address, in their shortest form. */
function groupsOf(address: string): string[] {
  const withoutZone = address.split('%')[0]
  // `URL` normalizes every notation: lowercase, no leading zeros, IPv4 in groups.
  const { hostname } = new URL(`http://[${withoutZone}]`)
  const [before = [], after = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''))
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after]
}

const bytesOf = (group: string): number[] => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]
