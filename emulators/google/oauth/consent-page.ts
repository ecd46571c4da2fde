import { escapeHtml } from '../../lib/http.ts'
import type { Account } from '../accounts.ts'
import type { AuthorizeProblem, AuthorizeRequest } from './authorize-request.ts'
import { describeScope, isOptional } from './scopes.ts'

const STYLE = `
:root { color-scheme: light dark; --line: #c7cbd1; --ink: #1f1f1f; --soft: #5a5f66; --card: #fff; --page: #f0f4f9; --action: #0b57d0; --on-action: #fff }
@media (prefers-color-scheme: dark) { :root { --line: #44484e; --ink: #e8eaed; --soft: #a8adb4; --card: #17191c; --page: #0d0e10; --action: #a8c7fa; --on-action: #062e6f } }
* { box-sizing: border-box } body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main { width: min(30rem, 100%); background: var(--card); border-radius: 1.25rem; padding: 2rem } h1 { font-size: 1.5rem; font-weight: 500; margin: 0 0 .25rem } p { margin: .25rem 0 1rem; color: var(--soft) }
fieldset { border: 1px solid var(--line); border-radius: .75rem; margin: 0 0 1rem; padding: .5rem 1rem } legend { padding: 0 .35rem; font-weight: 500 } label { display: flex; gap: .75rem; align-items: center; padding: .5rem 0 } small { color: var(--soft) }
input { width: 1.15rem; height: 1.15rem; flex: none; accent-color: var(--action) } .buttons { display: flex; justify-content: flex-end; gap: .75rem; margin-top: 1.5rem }
button { font: inherit; font-weight: 500; padding: .55rem 1.4rem; border-radius: 2rem; border: 1px solid var(--line); background: none; color: var(--action); cursor: pointer } button.primary { background: var(--action); border-color: var(--action); color: var(--on-action) }
:focus-visible { outline: 3px solid var(--action); outline-offset: 2px }`

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main>${body}</main></body></html>`
}

function accountChoice(account: Account, chosen: boolean): string {
  return `<label><input type="radio" name="account" value="${escapeHtml(account.email)}"${chosen ? ' checked' : ''} required>
<span>${escapeHtml(account.name)}<br><small>${escapeHtml(account.email)}</small></span></label>`
}

function scopeChoice(scope: string): string {
  return `<label><input type="checkbox" name="scope" value="${escapeHtml(scope)}" checked><span>${escapeHtml(describeScope(scope))}</span></label>`
}

/**
 * The consent page. A plain form posted back to its own URL; it combines Google's two pages (which account, which permissions).
 * @param action the request's own URL, including the query string
 */
export function consentPage(action: string, request: AuthorizeRequest, accounts: readonly Account[], chosen: string | null): string {
  const optional = request.scopes.filter(isOptional)
  const signIn = request.scopes.some((scope) => !isOptional(scope))
  const first = accounts.find((account) => account.email === chosen) ?? accounts[0]
  const site = new URL(request.redirectUri).host
  return page(
    'Sign in with Google (local stand-in)',
    `<h1>${escapeHtml(site)} wants access to your Google Account</h1>
<p>This is a local stand-in for Google’s own page. Nothing leaves this machine.</p>
<form method="post" action="${escapeHtml(action)}">
<fieldset><legend>Choose an account</legend>${accounts.map((account) => accountChoice(account, account === first)).join('\n')}</fieldset>
${signIn ? '<p>Your name, email address and picture will be shared.</p>' : ''}
${optional.length > 0 ? `<fieldset><legend>Select what it can access</legend>${optional.map(scopeChoice).join('\n')}</fieldset>` : ''}
<div class="buttons"><button type="submit" name="action" value="cancel" formnovalidate>Cancel</button><button type="submit" name="action" value="continue" class="primary">Continue</button></div>
</form>`,
  )
}

/** Google's page for an invalid request. */
export function problemPage(problem: AuthorizeProblem): string {
  return page(
    'Error',
    `<h1>Access blocked: authorization error</h1><p>${escapeHtml(problem.text)}</p><p>Error ${problem.status}: ${escapeHtml(problem.code)}</p>`,
  )
}
