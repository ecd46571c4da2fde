import { escapeHtml, html, type Reply } from './http.ts'

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; --line: light-dark(#dfe1e5, #292e37); --soft: light-dark(#5a5f66, #a8adb4); }
body { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem; }
h1 { font-size: 1.25rem; } h2 { font-size: 1rem; }
article { border: 1px solid var(--line); border-radius: 8px; padding: .25rem 1rem 1rem; margin: 1rem 0; overflow-wrap: anywhere; }
header, small { color: var(--soft); } header { font-size: .85rem; margin: .5rem 0; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: 6px; }
code { font-size: .9em; border: 1px solid var(--line); border-radius: 4px; padding: 0 .25em; } pre code { border: 0; padding: 0; }
a { color: light-dark(#2c5dbd, #77a4f6); } hr { border: 0; border-top: 1px solid var(--line); }
button { font: inherit; }
`

/** Pages show other people's content: they run no scripts, and load only from this machine. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src http://127.0.0.1:* http://localhost:*; form-action 'self'; frame-ancestors 'none'"

/** A stand-in's page that refreshes itself. `body` is HTML, `title` text. */
export function page(title: string, body: string, style = ''): Reply {
  const reply = html(
    200,
    `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
      `<meta http-equiv="refresh" content="5"><title>${escapeHtml(title)}</title><style>${STYLE}${style}</style></head>` +
      `<body><main><h1>${escapeHtml(title)}</h1><p>Nothing sent here leaves this machine. This page refreshes automatically.</p>${body}</main></body></html>`,
  )
  return { ...reply, headers: { ...reply.headers, 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer' } }
}

/** An ISO time in readable form, in UTC. */
export function timeTag(iso: string): string {
  return `<time datetime="${escapeHtml(iso)}">${escapeHtml(iso.slice(0, 19).replace('T', ' '))}</time>`
}
