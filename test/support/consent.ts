import type { Visitor } from './visitor.ts'

export type ConsentChoices = {
  /** The Google account to choose. */
  account: string
  /** Where the user wants to be afterwards. */
  redirect?: string
  /** Why a signed-in user goes there; to connect their data, unless specified otherwise. */
  errand?: 'sign-in' | 'proof'
  /** Presses Cancel. */
  cancel?: boolean
  /** Unticks the Search Console box. */
  untick?: boolean
  /** Google remembers the earlier consent: it shows no page and issues no refresh token. */
  remembered?: boolean
}

/** To Google's consent page, through its form and back, like a browser. Returns where the user ends up. */
export async function throughConsent(visitor: Visitor, choices: ConsentChoices): Promise<string> {
  const page = await leaveForGoogle(visitor, choices.redirect, choices.errand)
  if (page.origin === ourselves) return page.pathname + page.search
  const back = await consent(page, choices)
  return comeBack(visitor, back)
}

/** Stands for our server where it redirects to one of our screens, not to Google. */
const ourselves = 'http://localhost'

/** `GET /api/auth/google`; returns the URL of Google's consent page. */
export async function leaveForGoogle(visitor: Visitor, redirect?: string, errand?: string): Promise<URL> {
  const query = new URLSearchParams({ ...(redirect !== undefined && { redirect }), ...(errand !== undefined && { for: errand }) })
  return new URL(locationOf(await visitor.get(`/api/auth/google?${query}`)), ourselves)
}

/** Submits the form of Google's page; returns our callback URL that Google redirects the browser to. */
export async function consent(page: URL, choices: ConsentChoices): Promise<URL> {
  if (choices.remembered) {
    page.searchParams.delete('prompt')
    page.searchParams.set('login_hint', choices.account)
    return new URL(locationOf(await fetch(page, { redirect: 'manual' })))
  }
  const html = await (await fetch(page)).text()
  const boxes = [...html.matchAll(/type="checkbox" name="scope" value="([^"]+)"/g)].map((match) => match[1] ?? '')
  if (!html.includes('name="account"')) throw new Error(`No consent page: ${html}`)
  const form = new URLSearchParams({ account: choices.account, action: choices.cancel ? 'cancel' : 'continue' })
  if (!choices.untick) for (const box of boxes) form.append('scope', box)
  return new URL(locationOf(await fetch(page, { method: 'POST', redirect: 'manual', body: form })))
}

/** Opens our callback; returns where it redirects the user. */
export async function comeBack(visitor: Visitor, callback: URL): Promise<string> {
  return locationOf(await visitor.get(callback.pathname + callback.search))
}

function locationOf(answer: { status: number; headers: Headers }): string {
  const location = answer.headers.get('location')
  if (answer.status !== 302 || location === null) throw new Error(`Expected a redirect but got ${answer.status}`)
  return location
}
