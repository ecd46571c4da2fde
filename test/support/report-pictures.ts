import { writeFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { reportRun } from '../../src/contract/reports/reports.ts'
import { todayAnswer } from '../../src/contract/today.ts'
import { sites, type TestApp } from './app.ts'
import { pictureOfPdf } from './pdf-picture.ts'
import { until } from './until.ts'

/** Takes a picture of the first page of a PDF that the demo account really gets. */
export async function takePdfPicture(app: TestApp, chromium: Browser, file: string): Promise<void> {
  const demo = await app.demo()
  const { id } = reportRun.parse(
    (await demo.send('POST', '/api/report-runs', { subject: { property: sites.shop }, kind: 'month', paper: 'a4' })).body,
  )
  const run = async () => reportRun.parse((await demo.get(`/api/report-runs/${id}`)).body)
  const { state, detail } = await until(run, (each) => each.state === 'done' || each.state === 'failed', 60_000)
  if (state === 'failed') throw new Error(`The PDF was not made: ${detail}`)
  const cookie = [...demo.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const answer = await fetch(`${app.url}/api/report-runs/${id}/report.pdf`, { headers: { cookie } })
  await writeFile(file, await pictureOfPdf(chromium, new Uint8Array(await answer.arrayBuffer()), 794))
}

/** Puts the demo account on the plan with hours, and waits until an afternoon's are stored. */
export async function hoursAreStored(app: TestApp, site: string): Promise<void> {
  const demo = await app.demo()
  const { sql } = await app.stores()
  await sql(`UPDATE people SET plan = 'agency' FROM users WHERE users.id = people.user_id AND users.email = 'demo@ranklark.example'`)
  await app.google.setMoment(`${app.google.now().toISOString().slice(0, 10)}T16:05:00-07:00`)
  await app.lookForDue()
  const ask = async () => todayAnswer.parse((await demo.get(`/api/today?property=${encodeURIComponent(site)}`)).body)
  await until(ask, ({ today }) => (today?.complete ?? null) !== null, 60_000)
}
