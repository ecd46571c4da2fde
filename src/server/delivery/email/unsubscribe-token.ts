import { z } from 'zod'
import { createSignedTokens, type SigningKeys } from '../../platform/signed-token.ts'

/** A person and the address their email goes to. */
const subscription = z.object({ userId: z.string(), address: z.string() })

/**
 * The content of the unsubscribe links: anyone with the email may stop further ones without signing in. It never expires, since old emails
 * stay in mailboxes for years.
 * @param keys for this purpose only (platform/secrets.ts)
 */
export const createUnsubscribeTokens = (...keys: SigningKeys) => createSignedTokens(keys, subscription)
