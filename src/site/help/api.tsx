import { apiDocs, mcpPath } from '../../contract/api-v1/common.ts'
import { screens } from '../../contract/screens.ts'
import { channelAvailability } from '../../core/billing/entitlements.ts'
import type { Chapter } from '../parts/Article.tsx'
import { Sold } from '../sold.tsx'
import { plansWith } from './copy.ts'

export const api: Chapter = {
  id: 'api',
  title: 'API, assistants and webhooks',
  content: (
    <>
      <h3>API</h3>
      <p>
        Use the API to read properties, metrics, keywords, pages, opportunities, alerts, rules and notes from your own apps, or download
        them as CSV.{' '}
        <Sold otherwise="It">
          Read access comes with {plansWith(({ apiAccess }) => apiAccess !== 'none')}; on{' '}
          {plansWith(({ apiAccess }) => apiAccess === 'full')}, the API
        </Sold>{' '}
        can also acknowledge and snooze alerts, and create and edit rules and notes. See the <a href={apiDocs}>API reference</a> for details
        and examples.
      </p>
      <p>
        Create a key for each app under <a href={screens.developers}>API &amp; Webhooks</a>. A key is shown only once, because we store just
        a hash of it. The same screen shows when each key was last used, and lets you revoke it immediately. If an app only reads data, give
        it a read-only key.
      </p>
      <h3>AI assistants (MCP)</h3>
      <p>
        Assistants that support the Model Context Protocol can answer questions about your sites: how a site is doing, what went up or down,
        which alerts are open and what happened around a given day. Connect them to <code>{mcpPath}</code> on this installation with the
        same keys (<a href={`${apiDocs}#mcp`}>how to connect an assistant</a>). The assistant’s provider receives the data it requests.
      </p>
      <h3>Webhooks</h3>
      <p>
        Ranklark posts alerts, recoveries and connection problems to your URL as signed JSON, as soon as they happen.
        <Sold> {channelAvailability('webhook')}.</Sold> Enter the URL under <a href={screens.alertSettings}>Alert Settings</a>.{' '}
        <a href={screens.developers}>API &amp; Webhooks</a> lists every message from the last 90 days with your server’s response, and lets
        you resend it. <code>docs/webhooks.md</code>, included with Ranklark, describes the messages and how to verify their signatures.
      </p>
    </>
  ),
}
