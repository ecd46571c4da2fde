import { z } from 'zod'
import { createSignedTokens, type SigningKeys } from '../../platform/signed-token.ts'

/** Whose mail goes where. */
const subscription = z.object({ userId: z.string(), address: z.string() })

/**
 * What stands in the unsubscribe links of mails: whoever has the mail may stop those that follow, without signing in. It never
 * expires, since old mails lie in mailboxes for years.
 * @param keys of this purpose alone (platform/secrets.ts)
 */
export const createUnsubscribeTokens = (...keys: SigningKeys) => createSignedTokens(keys, subscription)
