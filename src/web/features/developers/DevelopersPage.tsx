import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { ArrowUpRight, CodeXml } from 'lucide-react'
import { apiBase, apiDocs } from '../../../contract/api-v1/common.ts'
import { apiKeysQuery } from '../../api/account.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { SectionCard } from '../../ui/Card.tsx'
import { LockedFeature } from '../../widgets/LockedFeature.tsx'
import { CodeBlock } from './CodeBlock.tsx'
import { KeysCard } from './KeysCard.tsx'
import { WebhookLog } from './WebhookLog.tsx'

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
