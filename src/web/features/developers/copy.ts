import type { ApiKey } from '../../../contract/api-keys.ts'
import type { WebhookDelivery } from '../../../contract/delivery/webhook-log.ts'
import { formatDate, formatMoment } from '../../lib/dates.ts'
import { formatCount } from '../../lib/format.ts'

export const isExpired = ({ expiresAt }: Pick<ApiKey, 'expiresAt'>, now: Date): boolean => expiresAt !== null && new Date(expiresAt) <= now

/** When a key was created and used, and until when it works. */
export function keyWords(
  { createdAt, lastUsedAt, expiresAt }: Pick<ApiKey, 'createdAt' | 'lastUsedAt' | 'expiresAt'>,
  now: Date,
): string[] {
  const used = lastUsedAt === null ? 'Never used' : `Last used ${inSentence(formatMoment(new Date(lastUsedAt), now))}`
  const end =
    expiresAt === null
      ? 'Never expires'
      : `${isExpired({ expiresAt }, now) ? 'Expired' : 'Expires'} ${formatDate(new Date(expiresAt), now)}`
  return [`Created ${formatDate(new Date(createdAt), now)}`, used, end]
}

/** `Today, 14:05` within a sentence; names of days and months stay capitalized. */
const inSentence = (moment: string): string => moment.replace(/^(Today|Yesterday)/, (word) => word.toLowerCase())

/** The result of an attempt: `200 in 85 ms`, or why there is none. */
export function answerWords({ status, ms, detail }: WebhookDelivery['attempts'][number]): string {
  return status === null ? (detail ?? 'No response').replace(/\.$/, '') : `${status} in ${formatCount(ms)} ms`
}
