import { escapeHtml, html, json, type Reply } from '../lib/http.ts'
import { timeTag } from '../lib/page.ts'
import type { Content, Message } from './message.ts'

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem; }
h1 { font-size: 1.25rem; overflow-wrap: anywhere; }
h2 { font-size: 1rem; margin-top: 2rem; }
table { width: 100%; border-collapse: collapse; }
th, td { text-align: left; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid light-dark(#dfe1e5, #292e37); vertical-align: top; overflow-wrap: anywhere; }
th { font-weight: 600; white-space: nowrap; }
iframe { width: 100%; height: 40rem; border: 1px solid light-dark(#dfe1e5, #292e37); border-radius: 8px; background: light-dark(#fff, #0c1016); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 1rem; border: 1px solid light-dark(#dfe1e5, #292e37); border-radius: 8px; }
a { color: light-dark(#2c5dbd, #77a4f6); }
`

function page(title: string, body: string, head = ''): Reply {
  return html(
    200,
    `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
      `<title>${escapeHtml(title)}</title>${head}<style>${STYLE}</style></head><body><main>${body}</main></body></html>`,
  )
}

/** All emails, newest first. */
export function listPage(messages: readonly Message[], to: string | null): Reply {
  const title = to === null ? 'Mail' : `Mail to ${to}`
  const rows = messages.map(
    (each) =>
      `<tr><td>${timeTag(each.receivedAt)}</td><td>${escapeHtml(each.to.join(', '))}</td>` +
      `<td><a href="/mail/${each.id}">${escapeHtml(each.subject || '(no subject)')}</a></td></tr>`,
  )
  const table = `<table><thead><tr><th>Received (UTC)</th><th>To</th><th>Subject</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
  const note = '<p>Nothing sent here leaves this machine. This page refreshes automatically.</p>'
  return page(
    title,
    `<h1>${escapeHtml(title)}</h1>${note}${messages.length === 0 ? '<p>No mail has arrived yet.</p>' : table}`,
    '<meta http-equiv="refresh" content="5">',
  )
}

/** One email: its HTML part as a mail program shows it, its text part and its headers. */
export function mailPage(message: Message): Reply {
  const headers = message.headers.map(({ key, value }) => `<tr><th scope="row">${escapeHtml(key)}</th><td>${escapeHtml(value)}</td></tr>`)
  const files = message.attachments.map(
    ({ filename, mimeType, size }, index) =>
      `<li><a href="/messages/${message.id}/attachments/${index + 1}">${escapeHtml(filename ?? '(no name)')}</a> (${escapeHtml(mimeType)}, ${size} bytes)</li>`,
  )
  return page(
    message.subject || '(no subject)',
    `<p><a href="/">All mail</a></p><h1>${escapeHtml(message.subject || '(no subject)')}</h1>` +
      `<p>To ${escapeHtml(message.to.join(', '))}, ${timeTag(message.receivedAt)} UTC</p>` +
      (message.html === null
        ? ''
        : `<h2>HTML part</h2><iframe title="HTML part" sandbox="allow-popups allow-popups-to-escape-sandbox" src="/mail/${message.id}/html"></iframe>`) +
      (message.text === null ? '' : `<h2>Text part</h2><pre>${linked(message.text)}</pre>`) +
      (files.length === 0 ? '' : `<h2>Attachments</h2><ul>${files.join('')}</ul>`) +
      `<h2>Headers</h2><table><tbody>${headers.join('')}</tbody></table>`,
  )
}

/** An attachment by its position, from 1; always as a file, whatever its declared type. */
export function attachment({ attachments }: Message, contents: readonly Content[], number: number): Reply {
  const [about, content] = [attachments[number - 1], contents[number - 1]]
  if (!about || !content) return json(404, { error: 'there is no such attachment, or it is no longer kept' })
  const headers = {
    'content-type': about.mimeType,
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(about.filename ?? 'attachment')}`,
    'content-security-policy': 'sandbox',
  }
  return { status: 200, headers, body: content.bytes }
}

/** Only the HTML part, with its attached images. It runs no scripts and loads nothing, wherever it is opened. */
export function htmlPart(message: Message, contents: readonly Content[]): Reply {
  const pictures = new Map(
    contents.map(({ contentId, bytes }, index) => [
      contentId,
      `data:${escapeHtml(message.attachments[index]?.mimeType ?? '')};base64,${bytes.toString('base64')}`,
    ]),
  )
  const shown = (message.html ?? '').replaceAll(/"cid:([^"]+)"/g, (whole, id: string) => `"${pictures.get(id) ?? whole.slice(1, -1)}"`)
  const reply = html(200, shown)
  const policy = "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"
  return { ...reply, headers: { ...reply.headers, 'content-security-policy': policy } }
}

/** Text with its URLs as links. */
function linked(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>()"]+)/)
    .map((part, index) => {
      const safe = escapeHtml(part)
      return index % 2 === 0 ? safe : `<a href="${safe}" target="_blank" rel="noreferrer">${safe}</a>`
    })
    .join('')
}
