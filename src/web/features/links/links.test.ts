import { expect, test } from 'vitest'
import { emailConfirmationClaim } from '../../../contract/delivery/channels.ts'
import { createSignedTokens } from '../../../server/platform/signed-token.ts'
import { addressOfToken } from './links.ts'

const tokens = createSignedTokens([Buffer.alloc(32, 7)], emailConfirmationClaim.loose())
const tokenFor = (address: string) => tokens.make({ userId: 'somebody', address, expiresAt: '2026-11-21T12:00:00.000Z' })

test.each(['alerts@example.test', 'größe+alerts@münchen.example', '>>>???~~~@example.test'])(
  'the address in a link is read: %s',
  (address) => {
    expect(addressOfToken(tokenFor(address))).toBe(address)
  },
)

test.each(['', 'made-up', 'made.up', '.', `${btoa('{"address":7}')}.x`, `${btoa('"text"')}.x`, '!!!.x'])(
  "a link that isn't ours has none: %j",
  (token) => expect(addressOfToken(token)).toBeNull(),
)
