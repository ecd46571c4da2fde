import { escapeHtml, type Reply } from '../lib/http.ts'
import { page, timeTag } from '../lib/page.ts'
import type { Attachment } from './payload.ts'
import { MESSAGE_STYLE, renderBlock, renderMrkdwn } from './render.ts'
import type { Hook, Message } from './store.ts'

/** Colors that Slack has names for. */
const NAMED: Readonly<Record<string, string>> = { good: '#2eb67d', warning: '#ecb22e', danger: '#e01e5a' }

function barOf(color: string | null): string {
  const hex = NAMED[color ?? ''] ?? (/^#?([0-9a-f]{6})$/i.test(color ?? '') ? `#${color?.replace('#', '')}` : null)
  return hex === null ? '' : ` style="border-color: ${hex}"`
}

function renderAttachment({ color, text, blocks }: Attachment): string {
  const inner = blocks.length > 0 ? blocks.map(renderBlock).join('') : renderMrkdwn(text)
  return `<div class="attachment"${barOf(color)}>${inner}</div>`
}

function renderMessage(message: Message): string {
  const { id, hook, channel, receivedAt, text, blocks, attachments } = message
  const body = blocks.length > 0 ? blocks.map(renderBlock).join('') : text === '' ? '' : renderMrkdwn(text)
  const notice = blocks.length > 0 && text !== '' ? `<p><small>Notification: ${escapeHtml(text)}</small></p>` : ''
  const from = `<a href="/?hook=${encodeURIComponent(hook)}">${escapeHtml(channel)}</a>`
  return (
    `<article id="message-${id}"><header>${from} · ${timeTag(receivedAt)} UTC</header>` +
    `${body}${attachments.map(renderAttachment).join('')}${notice}</article>`
  )
}

/** Everything that arrived, newest first. */
export function listPage(messages: readonly Message[], hook: Hook | string | null): Reply {
  const title = hook === null ? 'Slack' : `Slack: ${typeof hook === 'string' ? hook : `${hook.name} (${hook.channel})`}`
  const all = hook === null ? '' : '<p><a href="/">All messages</a></p>'
  const list = messages.length === 0 ? '<p>No messages have arrived yet.</p>' : messages.map(renderMessage).join('')
  return page(title, all + list, MESSAGE_STYLE)
}
