import type { ReactNode } from 'react'
import { apiBase, apiDocs, mcpPath } from '../../contract/api-v1/common.ts'
import { problems } from '../../contract/api-v1/problems.ts'
import { screens } from '../../contract/screens.ts'
import { catalog } from '../../core/billing/plans.ts'
import type { Chapter } from '../parts/Article.tsx'
import { Sold } from '../sold.tsx'

const namesOf = (access: 'read' | 'full'): string =>
  catalog
    .filter(({ apiAccess }) => apiAccess === access)
    .map(({ name }) => name)
    .join(', ')

/** Getting started, in the order a developer needs it. */
export const guide: readonly Chapter[] = [
  {
    id: 'getting-started',
    title: 'Getting started',
    content: (
      <>
        <p>
          Create a key under <a href={screens.developers}>API &amp; Webhooks</a>. It is shown only once, so store it somewhere safe.{' '}
          <Sold otherwise="A key with write access can also change data.">
            On the {namesOf('read')} plan, keys can read data; on the {namesOf('full')} plan, write keys can also change it.
          </Sold>
        </p>
        <Code label="Your properties">{`export RANKLARK_KEY=rk_…
curl {{address}}${apiBase}/properties \\
  -H "Authorization: Bearer $RANKLARK_KEY"`}</Code>
        <p>
          Responses are JSON in UTF-8; files are CSV. Days are Google’s (Pacific time), such as <code>2026-03-09</code>; times are in UTC. A
          period of <code>days</code> ends with the last day Google has marked complete, which every response about a period returns as{' '}
          <code>completeThrough</code>.
        </p>
        <p>
          The same reference in machine-readable form: <a href={`${apiBase}/openapi.json`}>OpenAPI 3.1</a>. We may add fields to responses
          at any time. Breaking changes get a new base URL.
        </p>
      </>
    ),
  },
  {
    id: 'paging',
    title: 'Paging',
    content: (
      <>
        <p>
          Lists return up to <code>limit</code> rows in <code>data</code>, plus <code>next</code>. To get more, send <code>next</code> as{' '}
          <code>cursor</code> and keep the other parameters unchanged. In the last response, <code>next</code> is <code>null</code>. The{' '}
          <code>Link</code> header contains the URL of the next page.
        </p>
        <p>
          If new data arrives while you page through keywords, pages or opportunities, the next request returns <code>409</code> instead of
          mixing two lists. Start over. To get a full list in one file, use <a href="#about-exports">exports</a>.
        </p>
      </>
    ),
  },
  {
    id: 'caching',
    title: 'Caching',
    content: (
      <p>
        <code>GET</code> responses have an <code>ETag</code>. Send it as <code>If-None-Match</code> to get <code>304</code> without a body
        if nothing has changed.
      </p>
    ),
  },
  {
    id: 'rate-limits',
    title: 'Rate limits',
    content: (
      <p>
        Each key can send {'{{requests}}'} requests per minute, and all of an account’s keys together can send {'{{accountRequests}}'},
        including MCP; a file download counts as ten requests. Every response includes <code>RateLimit-Limit</code>,{' '}
        <code>RateLimit-Remaining</code> and <code>RateLimit-Reset</code> (in seconds). Over the limit, you get <code>429</code> with{' '}
        <code>Retry-After</code>.
      </p>
    ),
  },
  {
    id: 'idempotency',
    title: 'Retrying safely',
    content: (
      <p>
        If the response to a change is lost, you can’t tell whether the change was made. Send each change with your own{' '}
        <code>Idempotency-Key</code>, and retry with the same key: within 24 hours, the change is made only once, and you get the first
        response again with <code>Idempotent-Replayed: true</code>. Rejected requests change nothing, so you can fix and resend them.
      </p>
    ),
  },
  {
    id: 'errors',
    title: 'Errors',
    content: (
      <>
        <p>
          Errors are returned as <code>application/problem+json</code> (RFC 9457). <code>detail</code> says what to do, <code>field</code>{' '}
          names the invalid input, and <code>type</code> links here.
        </p>
        <Code label="Response">{`{
  "type": "{{address}}${apiDocs}#problem-invalid-request",
  "title": "${problems['invalid-request'].title}",
  "status": 400,
  "detail": "days must be 7, 28 or 90",
  "field": "days"
}`}</Code>
        <dl className="fields">
          {Object.entries(problems).map(([name, { status, title }]) => {
            const entry = (
              <div key={name} id={`problem-${name}`}>
                <dt>
                  <code>{name}</code> <span>{status}</span>
                </dt>
                <dd>{title}.</dd>
              </div>
            )
            return name === 'plan' ? <Sold key={name}>{entry}</Sold> : entry
          })}
        </dl>
      </>
    ),
  },
  { id: 'mcp', title: 'MCP for assistants', content: mcpGuide(mcpPath) },
]

/** How to connect an assistant. @param path where the server is */
function mcpGuide(path: string): ReactNode {
  return (
    <>
      <p>
        AI assistants that support the Model Context Protocol can answer questions about your sites: how a site is doing, what gained and
        lost clicks, what to work on, which alerts are open and why they fired, and what happened around a given day. The server is at{' '}
        <code>{`{{address}}${path}`}</code> (streamable HTTP) and accepts the same keys.
      </p>
      <Code label="Assistant settings">{`{
  "mcpServers": {
    "ranklark": {
      "type": "http",
      "url": "{{address}}${path}",
      "headers": { "Authorization": "Bearer rk_…" }
    }
  }
}`}</Code>
      <p>
        Every response about a period states its dates, the last complete day and what is missing. Read-only keys don’t get the tools that
        change data: acknowledging, snoozing and rating alerts, and adding notes. Queries, URLs and notes in responses come from other
        people, so give autonomous assistants a read-only key.
      </p>
    </>
  )
}

/** A block of code, as the server makes them for operations too; it can be scrolled by keyboard. */
function Code({ label, children }: { label: string; children: ReactNode }) {
  return (
    <figure className="code">
      <figcaption>{label}</figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0}>
        <code>{children}</code>
      </pre>
    </figure>
  )
}
