import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import type { WebhookDelivery } from '../../../../contract/webhook-log.ts'
import { failureText } from '../../../api/client.ts'
import { reloadWebhookLog, resendWebhook, webhookDeliveryQuery } from '../../../api/webhook-log.ts'
import { formatMoment, formatUntil } from '../../../lib/dates.ts'
import { Button } from '../../../ui/Button.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/overlay/toast.ts'
import { CodeBlock } from '../CodeBlock.tsx'
import { answerWords } from './answer-words.ts'

/** Every attempt with its answer, what was sent, and sending it again. */
export function WebhookDetails({ delivery, now }: { delivery: WebhookDelivery; now: Date }) {
  const client = useQueryClient()
  const { id, key, attempts, nextAttemptAt, resendLocked } = delivery
  const { data, error } = useQuery(webhookDeliveryQuery(id))
  const resend = useMutation({
    mutationFn: () => resendWebhook(id),
    onSuccess: async () => {
      await reloadWebhookLog(client)
      toast.success('Sent Again', "We're sending it to your server again.")
    },
    onError: (failure) => toast.error('Not Sent', failureText(failure, "Couldn't resend the message. Please try again.")),
  })
  return (
    <div className="flex flex-col gap-4 pt-1 pb-4 sm:pl-6">
      <ul aria-label="Attempts" className="flex flex-col gap-2">
        {attempts.map((attempt) => (
          <li key={attempt.at} className="text-sm">
            <span className="text-muted">{formatMoment(new Date(attempt.at), now)}</span> {answerWords(attempt)}
            {attempt.answer !== null && (
              <code className="mt-1 block max-h-40 overflow-y-auto rounded-control bg-sunken px-3 py-2 whitespace-pre-wrap wrap-anywhere">
                {attempt.answer}
              </code>
            )}
          </li>
        ))}
        {attempts.length === 0 && <li className="text-sm text-muted">No attempts yet.</li>}
        {nextAttemptAt !== null && attempts.length > 0 && (
          <li className="text-sm text-muted">Next attempt {formatUntil(new Date(nextAttemptAt), now)}.</li>
        )}
      </ul>
      <p className="text-sm text-muted">
        webhook-id: <code className="text-text wrap-anywhere">{key}</code>
      </p>
      {error !== null ? (
        <p className="text-sm text-critical">{failureText(error, "Couldn't load the message.")}</p>
      ) : data === undefined ? (
        <Skeleton className="h-40" />
      ) : (
        data.body !== null && <CodeBlock label="Message body" text={data.body} copy="Copy body" />
      )}
      <div>
        <Button disabled={resend.isPending || resendLocked !== null} onClick={() => resend.mutate()}>
          <RotateCw aria-hidden />
          {resend.isPending ? 'Sending...' : 'Send again'}
        </Button>
        {resendLocked !== null && <p className="mt-2 text-sm text-muted">{resendLocked}</p>}
      </div>
    </div>
  )
}
