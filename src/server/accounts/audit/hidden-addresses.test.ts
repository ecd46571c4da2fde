import type { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { recordingLog } from '../../../../test/support/platform.ts'
import { createHiddenAddresses } from './hidden-addresses.ts'

const at = (address: string, netmask: string, bits: number, internal = false) => [
  { address, netmask, family: 'IPv4' as const, mac: '', internal, cidr: `${address}/${bits}` },
]
/** A web process of deploy/compose.yaml. */
const interfaces: typeof networkInterfaces = () => ({
  lo: at('127.0.0.2', '255.0.0.0', 8, true),
  eth0: at('172.18.3.7', '255.255.0.0', 16),
  eth1: at('172.30.10.5', '255.255.255.0', 24),
})

function warned(https: boolean, ...logins: string[]): string[] {
  const { log, lines } = recordingLog()
  const note = createHiddenAddresses({ https, log, interfaces })
  for (const address of logins) note(address)
  return lines
}

test('logins from the gateway of our own network are reported, once', () => {
  const lines = warned(true, '203.0.113.9', '172.30.10.1', '172.18.0.1', '172.30.10.1')
  expect(lines).toEqual([expect.stringContaining('hides client addresses')])
  expect(lines[0]).toContain('172.30.10.1')
  expect(warned(true, '172.18.0.1')).toHaveLength(1)
})

test('people on the internet, on an office network or on this machine are not', () => {
  expect(warned(true, '203.0.113.9', '2001:db8::7', '192.168.1.1', '172.30.10.17', '10.1.2.3', '127.0.0.1')).toEqual([])
})

test('nor is anything without https', () => {
  expect(warned(false, '172.30.10.1')).toEqual([])
})
