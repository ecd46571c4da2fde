import { topLevelDomains } from './top-level-domains.ts'

/**
 * Whether mail programs could turn a username into a link: it has a part that ends like a host name (`win.prize.com-now`), begins like one,
 * or is an IPv4 address.
 */
export function looksLikeHost(username: string): boolean {
  const name = username.normalize('NFKC').toLowerCase()
  if (name.startsWith('www.') || /\.xn--/.test(name) || /^\d+(\.\d+){3}$/.test(name)) return true
  return [...name.matchAll(/\.([\p{L}\p{M}]+)(?![\p{L}\p{M}\p{N}])/gu)].some(([, end = '']) => topLevelDomains.has(end))
}
