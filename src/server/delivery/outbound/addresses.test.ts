import type { LookupAddress } from 'node:dns'
import { describe, expect, test } from 'vitest'
import { BlockedAddress, isAmong, isPublicAddress, literalAddress, publicLookup, type Resolve } from './addresses.ts'

// The server sends no requests to addresses that people choose freely: no private, loopback or link-local ranges.

describe('public IP addresses', () => {
  test.each(['1.1.1.1', '8.8.8.8', '172.15.255.255', '172.32.0.1', '100.63.255.255', '100.128.0.1', '192.167.1.1', '223.255.255.254'])(
    '%s is public',
    (address) => expect(isPublicAddress(address)).toBe(true),
  )
  test.each(['2606:4700:4700::1111', '2a00:1450:4001:80e::200e', '64:ff9b::8.8.8.8', '64:ff9b::808:808'])('%s is public', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  )

  test.each([
    ['this host', '0.0.0.0'],
    ['this host', '0.1.2.3'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['shared by a provider', '100.64.0.1'],
    ['shared by a provider', '100.127.255.255'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['link-local, with a cloud’s credentials', '169.254.169.254'],
    ['a public IP, with a cloud’s credentials', '168.63.129.16'],
    ['NAT64 of such an address', '64:ff9b::168.63.129.16'],
    ['protocol assignments', '192.0.0.8'],
    ['documentation', '192.0.2.1'],
    ['documentation', '198.51.100.7'],
    ['documentation', '203.0.113.9'],
    ['6to4 relays', '192.88.99.1'],
    ['benchmarks', '198.19.255.255'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['link-local', 'fe80::1'],
    ['link-local with its interface', 'fe80::1%eth0'],
    ['a public one with an interface', '2606:4700:4700::1111%eth0'],
    ['site-local', 'fec0::1'],
    ['unique local', 'fd12:3456::1'],
    ['unique local', 'fc00::1'],
    ['multicast', 'ff02::1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff:fff::1'],
    ['discarded', '100::1'],
    ['IPv4-mapped loopback', '::ffff:127.0.0.1'],
    ['IPv4-mapped private', '::ffff:a00:1'],
    ['IPv4-mapped, public: only a disguise', '::ffff:8.8.8.8'],
    ['IPv4-compatible loopback', '::127.0.0.1'],
    ['NAT64 of loopback', '64:ff9b::127.0.0.1'],
    ['NAT64 of a private one', '64:ff9b::c0a8:101'],
    ['NAT64 of link-local', '64:ff9b::169.254.169.254'],
    ['NAT64 of a local network', '64:ff9b:1::8.8.8.8'],
    ['6to4 of loopback', '2002:7f00:1::1'],
    ['6to4 of a private one', '2002:c0a8:101::1'],
    ['Teredo of loopback', '2001:0:4136:e378:8000:63bf:80ff:fffe'],
    ['nobody’s yet', '4000::1'],
    ['no address', 'localhost'],
    ['no address', ''],
  ])("%s: %s isn't public", (_what, address) => expect(isPublicAddress(address)).toBe(false))
})

test.each([
  ['https://2130706433/', '127.0.0.1'],
  ['https://0x7f000001/', '127.0.0.1'],
  ['https://0x7f.1/', '127.0.0.1'],
  ['https://0177.0.0.1/', '127.0.0.1'],
  ['https://127.1/', '127.0.0.1'],
  ['https://①②⑦.⓪.⓪.①/', '127.0.0.1'],
  ['https://[0:0:0:0:0:0:0:1]/', '::1'],
  ['https://[::ffff:127.0.0.1]/', '::ffff:7f00:1'],
])("%s is %s, however it's written", (url, address) => {
  expect(literalAddress(new URL(url))).toBe(address)
  expect(isPublicAddress(address)).toBe(false)
})

test("a name isn't an IP address", () => {
  expect(literalAddress(new URL('https://127.0.0.1.example.com/'))).toBeNull()
})

describe('a name is resolved once', () => {
  const publicOne = { address: '93.184.216.34', family: 4 }
  const otherOne = { address: '2606:4700:4700::1111', family: 6 }
  const answering =
    (addresses: LookupAddress[]): Resolve =>
    (_hostname, _options, callback) =>
      callback(null, addresses)
  const lookup = (resolve: Resolve, all = true) =>
    new Promise<unknown[]>((done) => publicLookup(resolve)('rebound.example', { all }, (...answer) => done(answer)))

  test('and the connection goes to the checked address', async () => {
    expect(await lookup(answering([publicOne, otherOne]))).toEqual([null, [publicOne, otherOne]])
    expect(await lookup(answering([publicOne]), false)).toEqual([null, publicOne.address, 4])
  })

  test.each([
    ['a private address', [{ address: '10.0.0.7', family: 4 }]],
    ['a private one among public ones', [publicOne, { address: '127.0.0.1', family: 4 }]],
    ['loopback as IPv6', [{ address: '::1', family: 6 }]],
    ['loopback in disguise', [otherOne, { address: '::ffff:127.0.0.1', family: 6 }]],
    ['nothing', []],
  ])("%s isn't returned", async (_what, addresses) => {
    for (const all of [true, false]) {
      const [error] = await lookup(answering(addresses), all)
      expect(error).toBeInstanceOf(BlockedAddress)
    }
  })

  test.each(['93.184.216.34', '64:ff9b::93.184.216.34', '2606:4700:4700::1111'])(
    '%s is not, when it is this machine itself',
    async (address) => {
      const here = { internal: false, netmask: '', mac: '', cidr: null }
      const interfaces = () => ({
        lo: [{ ...here, internal: true, family: 'IPv4' as const, address: '127.0.0.1' }],
        eth0: [
          { ...here, family: 'IPv4' as const, address: publicOne.address },
          { ...here, family: 'IPv6' as const, scopeid: 0, address: otherOne.address },
          { ...here, family: 'IPv6' as const, scopeid: 2, address: 'fe80::1' },
        ],
      })
      expect(isPublicAddress(address)).toBe(true)
      expect(isPublicAddress(address, interfaces)).toBe(false)
      expect(isPublicAddress('1.1.1.1', interfaces)).toBe(true)
      const [error] = await new Promise<unknown[]>((done) =>
        publicLookup(answering([{ address, family: address.includes(':') ? 6 : 4 }]), interfaces)(
          'home.example',
          { all: true },
          (...answer) => done(answer),
        ),
      )
      expect(error).toBeInstanceOf(BlockedAddress)
    },
  )

  test('if a name server names thousands, none is checked or used; of a few, this machine looks up its own addresses once', async () => {
    const publicAddresses = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ address: `1.1.${at >> 8}.${at & 255}`, family: 4 }))
    let looks = 0
    const interfaces = () => {
      looks += 1
      return {}
    }
    const found = (count: number) =>
      new Promise<unknown[]>((done) =>
        publicLookup(answering(publicAddresses(count)), interfaces)('many.example', { all: true }, (...answer) => done(answer)),
      )
    for (const count of [33, 4_090]) expect((await found(count))[0]).toBeInstanceOf(BlockedAddress)
    expect(looks).toBe(0)
    expect(await found(32)).toEqual([null, publicAddresses(32)])
    expect(looks).toBe(1)
  })

  test('lookup errors are reported', async () => {
    const error = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
    expect(await lookup((_hostname, _options, callback) => callback(error, []))).toEqual([error, []])
  })
})

test('hosts allowed by the operator are allowed with their port only', () => {
  const named = ['n8n.internal:5678', '10.0.0.7:443', '[fd00:0::1]:80']
  const isNamed = (url: string) => isAmong(named, new URL(url))
  expect(['http://n8n.internal:5678/hook', 'https://10.0.0.7/hook', 'http://[fd00::1]/'].map(isNamed)).toEqual([true, true, true])
  expect(['http://n8n.internal/', 'https://n8n.internal:5679/', 'http://10.0.0.7/', 'http://x.n8n.internal:5678/'].map(isNamed)).toEqual([
    false,
    false,
    false,
    false,
  ])
})
