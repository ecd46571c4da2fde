import { reportClient, reportRun } from '../src/contract/reports/reports.ts'
import { startTestApp } from '../test/support/app.ts'
import { backfillFrom, newPerson, select, synced } from '../test/support/people.ts'
import { until } from '../test/support/until.ts'
import type { Figure } from './support.ts'

const properties = 25
const bar = 20
const patienceMs = 600_000

/** From requesting the monthly report of a client with 25 properties until its PDF is complete. */
export async function benchReports(): Promise<Figure[]> {
  const app = await startTestApp({ today: '2026-03-18', demo: false, prepares: true })
  try {
    const names = Array.from({ length: properties }, (_, at) => `https://site-${at + 1}.example/`)
    const sites = Object.fromEntries(names.map((name) => [name, 'local' as const]))
    const owner = await newPerson(app, { email: 'agency@example.test', plan: 'agency', sites })
    const { sql } = await app.stores()
    // February and the month before it.
    for (const name of names) await backfillFrom(sql, name, '2026-01-01')
    console.error(`  fetching ${properties} properties …`)
    await select(owner, names[0] ?? '')
    await owner.send('POST', '/api/gsc-properties/monitor', { sites: names })
    for (const name of names) await synced(owner, name, patienceMs)
    const client = reportClient.parse((await owner.send('POST', '/api/report-clients', { name: 'Client', properties: names })).body)

    const begun = performance.now()
    const asked = { subject: { client: client.id }, kind: 'month', paper: 'a4', start: '2026-02-01' }
    const { id } = reportRun.parse((await owner.send('POST', '/api/report-runs', asked)).body)
    const done = await until(
      async () => reportRun.parse((await owner.get(`/api/report-runs/${id}`)).body),
      ({ state }) => state === 'done' || state === 'failed',
      patienceMs,
    )
    const seconds = (performance.now() - begun) / 1_000
    if (done.state === 'failed') throw new Error(`The report failed: ${done.detail}`)
    return [
      {
        what: `a monthly report of ${properties} properties as a PDF, from request to file`,
        value: `${seconds.toFixed(1)} s`,
        bar: `≤ ${bar} s`,
        met: seconds <= bar,
      },
    ]
  } finally {
    await app.close()
  }
}
