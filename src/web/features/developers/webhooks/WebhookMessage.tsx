import { ChevronRight, CircleCheck, CircleX, Clock, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import type { WebhookDelivery } from '../../../../contract/webhook-log.ts'
import { formatMoment } from '../../../lib/dates.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { answerWords } from './answer-words.ts'
import { WebhookDetails } from './WebhookDetails.tsx'

const states: Record<WebhookDelivery['state'], { word: string; tone: 'positive' | 'unknown' | 'critical'; Icon: LucideIcon }> = {
  sent: { word: 'Delivered', tone: 'positive', Icon: CircleCheck },
  waiting: { word: 'Waiting', tone: 'unknown', Icon: Clock },
  failed: { word: 'Failed', tone: 'critical', Icon: CircleX },
}

/** One message on a line, which opens. */
export function WebhookMessage({ delivery }: { delivery: WebhookDelivery }) {
  const [open, setOpen] = useState(false)
  const now = useNow()
  const { about, property, createdAt, state, attempts } = delivery
  const { word, tone, Icon } = states[state]
  const last = attempts.at(-1)
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)} className="group">
      <summary className="flex min-h-12 cursor-pointer list-none items-start gap-2 rounded-control py-2.5 hover:bg-sunken [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="mt-1 size-4 shrink-0 text-muted transition-transform group-open:rotate-90" />
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
            <span className="min-w-0 font-medium wrap-anywhere">{about}</span>
            <Badge tone={tone} icon={<Icon aria-hidden />}>
              {word}
            </Badge>
          </span>
          <span className="block text-sm wrap-anywhere text-muted">
            {[formatMoment(new Date(createdAt), now), property, last && answerWords(last)].filter(Boolean).join(' · ')}
          </span>
        </span>
      </summary>
      {open && <WebhookDetails delivery={delivery} now={now} />}
    </details>
  )
}
