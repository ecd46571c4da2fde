import { useQuery } from '@tanstack/react-query'
import { apiKeysQuery } from '../../api/api-keys.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { ApiLocked } from './ApiLocked.tsx'
import { ExampleCard } from './ExampleCard.tsx'
import { KeysCard } from './KeysCard.tsx'
import { McpCard } from './McpCard.tsx'
import { WebhookLog } from './webhooks/WebhookLog.tsx'

/** What programs use: keys, how they are used, and MCP. */
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
        {locked === null && <ExampleCard />}
        {locked === null && <McpCard />}
        <WebhookLog plan={plan} />
      </div>
    </>
  )
}
