import type { WebhookDelivery } from '../../../../contract/webhook-log.ts'
import { formatCount } from '../../../lib/format.ts'

/** What came of an attempt: `200 in 85 ms`, or why nothing did. */
export function answerWords({ status, ms, detail }: WebhookDelivery['attempts'][number]): string {
  return status === null ? (detail ?? 'No answer').replace(/\.$/, '') : `${status} in ${formatCount(ms)} ms`
}
