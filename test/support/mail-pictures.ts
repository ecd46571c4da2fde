import path from 'node:path'
import type { Browser } from 'playwright-core'
import { sites, type TestApp } from './app.ts'
import { runJob } from './jobs.ts'
import type { Mail } from './mail-control.ts'
import type { Visitor } from './visitor.ts'

const address = 'demo@ranklark.example'
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

type View = { suffix: string; width: number; theme: 'light' | 'dark' }
const views: readonly View[] = [
  { suffix: '', width: 640, theme: 'light' },
  { suffix: '-dark', width: 640, theme: 'dark' },
  { suffix: '-phone', width: 375, theme: 'light' },
]

async function send(person: Visitor, method: 'POST' | 'PATCH', route: string, body: object): Promise<void> {
  const answer = await person.send(method, route, body)
  if (answer.status >= 300) throw new Error(`${method} ${route}: ${JSON.stringify(answer.body)}`)
}

/** The first choice creates the preferences, later ones change them. */
async function choose(demo: Visitor, frequency: 'daily' | 'instant'): Promise<void> {
  const isFirst = (await demo.get('/api/delivery-settings')).body === null
  await send(demo, isFirst ? 'POST' : 'PATCH', '/api/delivery-settings', { frequency })
}

/** The next day's digest for all sample properties, with the default rules' findings. */
export async function digestMail(app: TestApp, demo: Visitor): Promise<Mail> {
  await choose(demo, 'daily')
  await send(demo, 'POST', '/api/alerts/evaluate?property=all', {})
  app.google.advance(dayMs)
  await runJob(app, 'delivery-due')
  return app.mail.mailTo(address, { kind: 'digest' })
}

/** An instant alert: another rule's finding on one of them. */
export async function alertMail(app: TestApp, demo: Visitor): Promise<Mail> {
  const { sql } = await app.stores()
  // Only Agency has instant alerts.
  await sql(`UPDATE people SET plan = 'agency' FROM users WHERE users.id = people.user_id AND users.email = $1`, [address])
  await choose(demo, 'instant')
  const about = `?property=${encodeURIComponent(sites.local)}`
  await send(demo, 'POST', `/api/alert-conditions${about}`, { type: 'clicks', title: 'Clicks drop', monitor: 'site', threshold: 15 })
  await send(demo, 'POST', `/api/alerts/evaluate${about}`, {})
  // It waits for the other sample properties' alerts of the same day.
  app.google.advance(30 * minuteMs)
  await runJob(app, 'delivery-due')
  return app.mail.mailTo(address, { kind: 'alerts', subject: /across the site/ })
}

/** Takes pictures of the emails that the demo account really gets, as a mail program shows them. */
export async function takeMailPictures(app: TestApp, chromium: Browser, directory: string): Promise<string[]> {
  const demo = await app.demo()
  // The alert first: what a digest has told, nothing tells again.
  const alert = await alertMail(app, demo)
  const mails = { 'alert-mail': alert, 'digest-mail': await digestMail(app, demo) }
  const taken: string[] = []
  for (const [name, { html }] of Object.entries(mails)) {
    for (const { suffix, width, theme } of views) {
      const context = await chromium.newContext({
        viewport: { width, height: 400 },
        colorScheme: theme,
        javaScriptEnabled: false,
      })
      const page = await context.newPage()
      await page.setContent(html)
      await page.screenshot({ path: path.join(directory, `${name}${suffix}.png`), fullPage: true })
      await context.close()
      taken.push(`${name}${suffix}.png`)
    }
  }
  return taken
}
