import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { ArrowUpRight, ChevronRight, CircleCheck, CircleX, Clock, CodeXml, type LucideIcon, RotateCw, Webhook } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { apiBase, apiDocs } from '../../../contract/api-v1/common.ts'
import type { WebhookDelivery } from '../../../contract/delivery/webhook-log.ts'
import type { HeldPlan } from '../../../contract/user.ts'
import { webhookRefusal } from '../../../core/billing/entitlements.ts'
import { apiKeysQuery } from '../../api/account.ts'
import { failureText } from '../../api/client.ts'
import { reloadWebhookLog, resendWebhook, webhookDeliveryQuery, webhookLogQuery } from '../../api/delivery.ts'
import { formatMoment, formatUntil } from '../../lib/dates.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { paths } from '../../paths.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { SectionCard } from '../../ui/Card.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { LockedFeature } from '../../widgets/LockedFeature.tsx'
import { answerWords } from './copy.ts'
import { KeysCard } from './KeysCard.tsx'
import { ListPending } from './ListPending.tsx'

/** Everything for programs: keys, how to use them, and MCP. */
export function DevelopersPage() {
  const { plan } = useCurrentUser()
  const keys = useQuery(apiKeysQuery(plan))
  const locked = keys.data?.locked ?? null
  return (
    <>
      <title>API & Webhooks · Ranklark</title>
      <h1 className="text-title font-semibold">API & Webhooks</h1>
      <p className="mb-5 max-w-[70ch] text-muted">
        Your data and alerts for your own apps, and for AI assistants that support the Model Context Protocol.
      </p>
      <div className="grid max-w-[64rem] grid-cols-1 gap-5">
        {locked !== null && <ApiLocked reason={locked} />}
        <KeysCard keys={keys} />
        {/* Nothing is read below a list whose length is unknown. */}
        <div className={clsx('grid grid-cols-1 gap-5', keys.isPending && 'invisible')}>
          {locked === null && <ExampleCard />}
          {locked === null && <McpCard />}
          <WebhookLog plan={plan} />
        </div>
      </div>
    </>
  )
}

const holds = [
  'Properties, metrics, keywords, pages and opportunities as JSON or CSV',
  'Alerts: list, acknowledge and snooze them',
  'Rules and notes: list, create and edit them',
  'An MCP server that lets AI assistants answer questions from your data',
]

/** Shown to people without API access. */
function ApiLocked({ reason }: { reason: string }) {
  return <LockedFeature Icon={CodeXml} title="An API for your own apps" reason={reason} holds={holds} />
}

/** A first request to this installation. */
function ExampleCard() {
  const example = `curl "${window.location.origin}${apiBase}/alerts?state=open" \\\n  --header "Authorization: Bearer rk_your_key"`
  return (
    <SectionCard title="Try it" description="Lists your open alerts. Replace rk_your_key with your key.">
      <CodeBlock label="curl request" text={example} copy="Copy command" />
      <a href={apiDocs} className="mt-3 inline-flex min-h-10 items-center gap-1 font-medium text-brand hover:underline">
        API reference
        <ArrowUpRight aria-hidden className="size-4" />
      </a>
    </SectionCard>
  )
}

/** How to connect an assistant. */
function McpCard() {
  const url = `${window.location.origin}/mcp`
  const settings = { mcpServers: { ranklark: { type: 'http', url, headers: { Authorization: 'Bearer rk_your_key' } } } }
  return (
    <SectionCard
      title="Assistants (MCP)"
      description="AI assistants that support the Model Context Protocol can answer questions about your sites. They use the same keys."
    >
      <dl className="mb-4 flex flex-wrap gap-x-3">
        <dt className="font-medium">Server URL</dt>
        <dd className="min-w-0 font-mono text-sm leading-6 wrap-anywhere">{url}</dd>
      </dl>
      <CodeBlock label="MCP client settings" text={JSON.stringify(settings, null, 2)} copy="Copy settings" />
    </SectionCard>
  )
}

/** Text to copy elsewhere unchanged. */
function CodeBlock({ label, text, copy }: { label: string; text: string; copy: string }) {
  return (
    <figure aria-label={label} className="flex flex-col items-start gap-3">
      {/* Wider than phones: keyboards can reach and scroll it too. */}
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
        tabIndex={0}
        className="w-full overflow-x-auto rounded-control border border-line bg-sunken p-4 font-mono text-sm leading-relaxed"
      >
        {text}
      </pre>
      <CopyButton text={text} label={copy} />
    </figure>
  )
}

/** What was posted to the person's server, its responses, and resending. */
function WebhookLog({ plan }: { plan: HeldPlan }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(webhookLogQuery)
  const deliveries = data?.pages.flatMap((page) => page.deliveries)
  return (
    <SectionCard
      title="Webhook deliveries"
      description="Alerts, recoveries and connection problems posted to your server. Kept for 90 days."
    >
      {deliveries === undefined ? (
        <ListPending what="the deliveries" error={error} onRetry={() => void refetch()} />
      ) : deliveries.length === 0 ? (
        <Nothing locked={webhookRefusal(plan)} />
      ) : (
        <>
          <ul aria-label="Webhook deliveries" className="-my-2 divide-y divide-line">
            {deliveries.map((delivery) => (
              <li key={delivery.id}>
                <WebhookMessage delivery={delivery} />
              </li>
            ))}
          </ul>
          {hasNextPage && (
            <div className="mt-5 flex justify-center">
              <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                {isFetchingNextPage ? 'Loading...' : 'Show older'}
              </Button>
            </div>
          )}
        </>
      )}
    </SectionCard>
  )
}

function Nothing({ locked }: { locked: string | null }) {
  const [to, label] = locked === null ? [paths.alertSettings, 'Set up a webhook'] : [paths.settings, 'See plans']
  return (
    <EmptyState
      icon={<Webhook aria-hidden />}
      title="No deliveries yet"
      actions={
        <Link to={to} className={buttonClass()}>
          {label}
        </Link>
      }
    >
      {locked ?? "Add your server's URL in Alert Settings, then send a test to see the first delivery."}
    </EmptyState>
  )
}

const states: Record<WebhookDelivery['state'], { word: string; tone: 'positive' | 'unknown' | 'critical'; Icon: LucideIcon }> = {
  sent: { word: 'Delivered', tone: 'positive', Icon: CircleCheck },
  waiting: { word: 'Waiting', tone: 'unknown', Icon: Clock },
  failed: { word: 'Failed', tone: 'critical', Icon: CircleX },
}

/** One message on an expandable line. */
function WebhookMessage({ delivery }: { delivery: WebhookDelivery }) {
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

/** Every attempt with its response, the sent content, and resending. */
function WebhookDetails({ delivery, now }: { delivery: WebhookDelivery; now: Date }) {
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
