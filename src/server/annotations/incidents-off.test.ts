import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { runJob } from '../../../test/support/jobs.ts'
import { newPerson } from '../../../test/support/people.ts'
import { annotations } from '../../contract/annotations.ts'

// A machine without a network, or whose owner doesn't want it to ask.

const test = appTest({ today: '2026-07-15', demo: false, env: { GOOGLE_STATUS_URL: 'off' } })

test("doesn't ask, and has the incidents known at build time", { tags: ['full'] }, async ({ app }) => {
  const person = await newPerson(app)
  const { incidents } = annotations.parse((await person.get('/api/annotations?from=2026-05-01&to=2026-07-01')).body)
  expect(incidents.map(({ title, start, end }) => [title, start, end])).toEqual([
    ['June 2026 spam update', '2026-06-24', '2026-06-26'],
    ['May 2026 core update', '2026-05-21', '2026-06-02'],
  ])
  expect(incidents[0]?.url).toBe('https://status.search.google.com/incidents/YUX1peHev5a4fkxLDiUQ')
  await runJob(app, 'ranking-incidents')
  expect(await app.google.call('GET', 'dashboard')).toMatchObject({ asked: 0 })
})
