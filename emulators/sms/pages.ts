import { escapeHtml, type Reply } from '../lib/http.ts'
import { page, timeTag } from '../lib/page.ts'
import type { Message } from './message.ts'
import type { World } from './world.ts'

const STYLE = `
p.body { white-space: pre-wrap; } form { display: inline-flex; gap: .5rem; } .inbound { margin-left: 3rem; }
.status { display: inline-block; border: 1px solid var(--line); border-radius: 1rem; padding: 0 .6em; } .bad { border-color: #c01343; }
`

function replyForm(ours: string, theirs: string, out: boolean): string {
  const hidden = `<input type="hidden" name="to" value="${escapeHtml(ours)}"><input type="hidden" name="from" value="${escapeHtml(theirs)}">`
  return `<form method="post" action="/reply">${hidden}<button name="body" value="${out ? 'START' : 'STOP'}">Reply ${out ? 'START' : 'STOP'}</button></form>`
}

function renderMessage(world: World, message: Message): string {
  const { direction, from, to, body, status, errorCode, errorMessage, segments, created } = message
  const inbound = direction === 'inbound'
  const failed = errorCode === null ? '' : ` ${errorCode}${errorMessage === null ? '' : `: ${escapeHtml(errorMessage)}`}`
  const parts = `${segments} segment${segments === 1 ? '' : 's'}`
  const reply = inbound || from === null ? '' : replyForm(from, to, world.store.isOptedOut(from, to))
  return (
    `<article class="${inbound ? 'inbound' : 'outbound'}"><header>${escapeHtml(from ?? 'messaging service')} → ${escapeHtml(to)} · ` +
    `${timeTag(new Date(created).toISOString())} UTC · ${parts} · ` +
    `<span class="status${errorCode === null ? '' : ' bad'}">${status}${failed}</span></header>` +
    `<p class="body">${escapeHtml(body)}</p>${reply}</article>`
  )
}

/** All messages and replies, newest first. */
export function listPage(world: World, messages: readonly Message[], number: string | null): Reply {
  const all = number === null ? '' : '<p><a href="/">All messages</a></p>'
  const list = messages.map((each) => renderMessage(world, each)).join('')
  return page(
    number === null ? 'SMS' : `SMS to and from ${number}`,
    all + (list === '' ? '<p>No messages have arrived yet.</p>' : list),
    STYLE,
  )
}
