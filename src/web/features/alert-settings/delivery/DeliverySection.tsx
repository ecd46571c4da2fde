import { useId } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { type CardProps, hasSms } from './card-props.ts'
import { EmailCard } from './EmailCard.tsx'
import { SlackCard } from './SlackCard.tsx'
import { SmsCard } from './SmsCard.tsx'
import type { DeliveryDraft } from './use-delivery-draft.ts'
import { WebhookCard } from './webhook/WebhookCard.tsx'
import { WhenCard } from './WhenCard.tsx'

type DeliverySectionProps = Omit<DeliveryDraft, 'isDirty' | 'save'>

/** Where and when alerts are sent. Cards connect and test at once; everything else is saved with the page. */
export function DeliverySection(props: DeliverySectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="text-base font-semibold">
        Delivery
      </h2>
      <p className="mt-1 mb-4 max-w-[70ch] text-muted">Where and when alerts are sent, for all your properties.</p>
      <Content {...props} />
    </section>
  )
}

function Content(props: DeliverySectionProps) {
  const { draft, destinations } = props
  const { channels } = destinations
  if (draft.isError || destinations.isError) {
    return (
      <Card>
        <ErrorState
          title="Your delivery settings could not be loaded"
          actions={<Button onClick={() => void Promise.all([draft.refetch(), destinations.refetch()])}>Try again</Button>}
        >
          Alerts are still sent with your saved settings.
        </ErrorState>
      </Card>
    )
  }
  if (!draft.isLoaded || channels === undefined) return <Loading />
  return <Cards {...props} channels={channels} />
}

const gridClass = 'grid grid-cols-1 items-start gap-4 lg:grid-cols-2 xl:gap-5'
const columnClass = 'flex min-w-0 flex-col gap-4 xl:gap-5'

function Cards(props: CardProps) {
  const { plan, channels } = props
  return (
    <div className={gridClass}>
      <div className={columnClass}>
        <EmailCard {...props} />
        <WhenCard {...props} />
      </div>
      <div className={columnClass}>
        <SlackCard {...props} />
        {hasSms(plan, channels.sms.locked) && <SmsCard {...props} />}
        <WebhookCard {...props} />
      </div>
    </div>
  )
}

function Loading() {
  return (
    <div aria-busy className={gridClass}>
      <output className="sr-only">Loading delivery settings</output>
      <div className={columnClass}>
        <Skeleton className="h-176 rounded-card" />
        <Skeleton className="h-112 rounded-card" />
      </div>
      <div className={columnClass}>
        <Skeleton className="h-108 rounded-card" />
        <Skeleton className="h-76 rounded-card" />
        <Skeleton className="h-108 rounded-card" />
      </div>
    </div>
  )
}
