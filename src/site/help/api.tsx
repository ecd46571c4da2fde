import { apiDocs, mcpPath } from '../../contract/api-v1/common.ts'
import { screens } from '../../contract/screens.ts'
import { channelAvailability } from '../../core/billing/entitlements.ts'
import type { Chapter } from '../parts/Article.tsx'
import { Sold } from '../sold.tsx'
import { plansWith } from './plan-words.ts'

export const api: Chapter = {
  id: 'api',
  title: 'API, assistants and webhooks',
  content: (
    <>
      <h3>API</h3>
      <p>
        Programs of yours can ask for properties, figures, keywords, pages, opportunities, alerts, rules and notes, and download them as
        CSV.{' '}
        <Sold otherwise="They">
          On {plansWith(({ apiAccess }) => apiAccess !== 'none')} they may read; on {plansWith(({ apiAccess }) => apiAccess === 'full')}{' '}
          they
        </Sold>{' '}
        may also acknowledge and snooze alerts, and write rules and notes. The <a href={apiDocs}>API reference</a> has everything with
        examples.
      </p>
      <p>
        Make a key under <a href={screens.developers}>API &amp; Webhooks</a>, one for each program. It is shown once: what is stored cannot
        be turned back into it. You see when each was last used, and revoke it there; from then on it is refused. Give a program that only
        looks a key that may only read.
      </p>
      <h3>Assistants (MCP)</h3>
      <p>
        Assistants that speak the Model Context Protocol ask in plain words how a site is doing, what rose and fell, which alerts are open
        and what happened around a day. They take the same keys at <code>{mcpPath}</code> of this address;{' '}
        <a href={`${apiDocs}#mcp`}>how to connect one</a>. What an assistant is answered goes to whoever runs it.
      </p>
      <h3>Webhooks</h3>
      <p>
        Alerts, recoveries and what stops a sync are posted to an address of yours as signed JSON, as soon as they happen.
        <Sold> {channelAvailability('webhook')}.</Sold> The address is entered under <a href={screens.alertSettings}>Alert Settings</a>;
        under <a href={screens.developers}>API &amp; Webhooks</a> stands every message with what your server answered, for 90 days, and can
        be sent again. <code>docs/webhooks.md</code>, which comes with Ranklark, describes the messages and how to check their signature.
      </p>
    </>
  ),
}
