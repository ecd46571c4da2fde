import { expect, test } from 'vitest'
import { createConfirmationTokens } from '../../../server/delivery/confirmation-token.ts'
import { addressOfToken } from './address-of-token.ts'

const tokens = createConfirmationTokens(Buffer.alloc(32, 7))
const tokenFor = (address: string) => tokens.make({ userId: 'somebody', address, expiresAt: '2026-11-21T12:00:00.000Z' })

test.each(['alerts@example.test', 'größe+alerts@münchen.example', '>>>???~~~@example.test'])(
  'the address of a link is read: %s',
  (address) => {
    expect(addressOfToken(tokenFor(address))).toBe(address)
  },
)

test.each(['', 'made-up', 'made.up', '.', `${btoa('{"address":7}')}.x`, `${btoa('"text"')}.x`, '!!!.x'])(
  'what is no link of ours has none: %j',
  (token) => expect(addressOfToken(token)).toBeNull(),
)
