import { escapeHtml, type Reply } from '../lib/http.ts'
import { page, timeTag } from '../lib/page.ts'
import type { Received } from './world.ts'

function render({ id, receivedAt, method, path, headers, body, status }: Received): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${[value].flat().join(', ')}`)
  const answered = status === 0 ? 'no response' : `responded with ${status}`
  return (
    `<article><header><a href="/messages/${id}">${escapeHtml(`${method} ${path}`)}</a> · ${timeTag(receivedAt)} UTC · ${answered}</header>` +
    `<details><summary>Headers</summary><pre>${escapeHtml(lines.join('\n'))}</pre></details><pre>${escapeHtml(body)}</pre></article>`
  )
}

/** All requests, newest first. */
export function listPage(received: readonly Received[]): Reply {
  return page('Webhook', received.length === 0 ? '<p>Nothing has arrived yet.</p>' : received.map(render).join(''))
}
