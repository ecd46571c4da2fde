import type { Reply } from '../../lib/http.ts'
import { escapeHtml, html } from '../../lib/http.ts'

/** These pages run and load only what the stand-in itself serves. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'"

export function page(
  title: string,
  body: string,
  options: { readonly style?: string; readonly script?: string; readonly bodyClass?: string; readonly status?: number } = {},
): Reply {
  const script = options.script === undefined ? '' : `<script type="module" src="/v3/${options.script}"></script>`
  const reply = html(
    options.status ?? 200,
    `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><link rel="icon" href="/v3/icon.svg"><link rel="stylesheet" href="/v3/${options.style ?? 'pages.css'}">${script}</head>
<body${options.bodyClass === undefined ? '' : ` class="${options.bodyClass}"`}>${body}</body></html>`,
  )
  return { ...reply, headers: { ...reply.headers, 'content-security-policy': POLICY } }
}

/** A time for display, in UTC. */
export const dayOf = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleDateString('en-US', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

/** A table of texts, or a message if it is empty. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[], empty: string): string {
  if (rows.length === 0) return `<p class="muted">${escapeHtml(empty)}</p>`
  return htmlTable(
    heads,
    rows.map((row) => row.map(escapeHtml)),
  )
}

/** Like `table`, for cells that are HTML already. */
export function htmlTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((each) => `<th scope="col">${escapeHtml(each)}</th>`).join('')
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')
  return `<div class="scroll" tabindex="0" role="group" aria-label="${escapeHtml(heads[0] ?? '')}"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`
}
