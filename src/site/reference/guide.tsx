import type { ReactNode } from 'react'
import { apiBase, apiDocs, mcpPath } from '../../contract/api-v1/common.ts'
import { problems } from '../../contract/api-v1/problems.ts'
import { screens } from '../../contract/screens.ts'
import { catalogue } from '../../core/billing/plans.ts'
import type { Chapter } from '../parts/Article.tsx'
import { Sold } from '../sold.tsx'

const namesOf = (access: 'read' | 'full'): string =>
  catalogue
    .filter(({ apiAccess }) => apiAccess === access)
    .map(({ name }) => name)
    .join(', ')

/** How to begin, in the order in which somebody needs it. */
export const guide: readonly Chapter[] = [
  {
    id: 'getting-started',
    title: 'Getting started',
    content: (
      <>
        <p>
          Make a key under <a href={screens.developers}>API &amp; Webhooks</a>. It is shown once, so keep it where programs find it and
          nobody else does.{' '}
          <Sold otherwise="A key that was made for writing may also change things.">
            The {namesOf('read')} plan may read; the {namesOf('full')} plan may also change things, with a key that was made for writing.
          </Sold>
        </p>
        <Code label="Your properties">{`export RANKLARK_KEY=rk_…
curl {{address}}${apiBase}/properties \\
  -H "Authorization: Bearer $RANKLARK_KEY"`}</Code>
        <p>
          Everything is JSON in UTF-8, files are CSV. Days are Google’s (Pacific time) as <code>2026-03-09</code>, moments are in UTC. A
          period of <code>days</code> ends with the last day that Google has declared complete, which every answer names:{' '}
          <code>completeThrough</code>.
        </p>
        <p>
          The same reference for programs: <a href={`${apiBase}/openapi.json`}>OpenAPI 3.1</a>. Fields may be added to answers at any time;
          whatever else would break programs gets a new address.
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
          Lists answer <code>data</code>, at most <code>limit</code> rows of it, and <code>next</code>. Ask again with <code>cursor=</code>{' '}
          and that <code>next</code>, and leave the other parameters as they were; on the last part it is <code>null</code>. The{' '}
          <code>Link</code> header holds the same as an address.
        </p>
        <p>
          When newer figures come while you page through keywords, pages or opportunities, the next part is refused with <code>409</code>{' '}
          rather than answered from another list: begin again. <a href="#about-exports">Exports</a> are whole lists in one file.
        </p>
      </>
    ),
  },
  {
    id: 'caching',
    title: 'Asking whether anything changed',
    content: (
      <p>
        Answers to <code>GET</code> have an <code>ETag</code>. Send it as <code>If-None-Match</code>, and you get <code>304</code> without a
        body while nothing has changed.
      </p>
    ),
  },
  {
    id: 'rate-limits',
    title: 'Rate limits',
    content: (
      <p>
        A key may send {'{{requests}}'} requests a minute, MCP included; a file counts as ten. Every answer says how things stand:{' '}
        <code>RateLimit-Limit</code>, <code>RateLimit-Remaining</code> and <code>RateLimit-Reset</code> (seconds). Beyond that you get{' '}
        <code>429</code> with <code>Retry-After</code>.
      </p>
    ),
  },
  {
    id: 'idempotency',
    title: 'Sending a request again',
    content: (
      <p>
        When the answer to a change got lost, nobody knows whether it was carried out. Give each change an <code>Idempotency-Key</code> of
        your own making and send it again with the same one: within 24 hours it is not carried out twice, and the first answer comes back
        with <code>Idempotent-Replayed: true</code>. What was refused changed nothing, so it may be sent again as it is, or mended.
      </p>
    ),
  },
  {
    id: 'errors',
    title: 'Problems',
    content: (
      <>
        <p>
          Whatever goes wrong is answered as <code>application/problem+json</code> (RFC 9457). <code>detail</code> says what to do,{' '}
          <code>field</code> what was wrong, and <code>type</code> leads here.
        </p>
        <Code label="Answer">{`{
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

/** How assistants are connected. @param path where the server is */
function mcpGuide(path: string): ReactNode {
  return (
    <>
      <p>
        Assistants that speak the Model Context Protocol ask the same questions in plain words: which sites there are, how one is doing,
        what rose and fell, what is worth working on, which alerts are open and what is behind them, what happened around a day. The server
        is at <code>{`{{address}}${path}`}</code> (streamable HTTP) and takes the same keys.
      </p>
      <Code label="Settings of an assistant">{`{
  "mcpServers": {
    "ranklark": {
      "type": "http",
      "url": "{{address}}${path}",
      "headers": { "Authorization": "Bearer rk_…" }
    }
  }
}`}</Code>
      <p>
        Every answer says of which days it is, through which day figures are complete, and what is missing from them. A key that may only
        read is not offered what changes things: acknowledging and snoozing alerts, and writing notes. Queries, addresses and notes in
        answers were written by others; give assistants that act on their own a key that may only read.
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
