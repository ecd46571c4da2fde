import { createHash } from 'node:crypto'
import { expect, vi } from 'vitest'
import { annotations, type Note, noteOfOneProperty } from '../../src/contract/annotations.ts'
import { reportRun, reportShareMade, sharedReport } from '../../src/contract/reports/reports.ts'
import { agencyTest, first, ok, refused, second, week } from '../support/agency.ts'
import type { Visitor } from '../support/visitor.ts'

// An agency's own notes, and a client who reads everything that they are sent.

vi.setConfig({ testTimeout: 180_000 })

const test = agencyTest({ today: '2026-03-18', storedFrom: '2026-03-01' })

const day = '2026-03-10'
const write = async (owner: Visitor, text: string, property: string | null, inReports?: boolean) => {
  const answer = await owner.send('POST', '/api/annotations', { date: day, text, property, ...(inReports !== undefined && { inReports }) })
  expect(answer.status).toBe(201)
  return answer.body as Note
}

test(
  'a client sees only the notes on their property that are marked for its reports, old or new',
  { tags: ['full'] },
  async ({ app, owner, client, desk: { sql, bytesOf, finished } }) => {
    const marked = await write(owner, 'New titles went live', first, true)
    await write(owner, 'The client pays late', first)
    await write(owner, 'We are about to lose two clients', null)
    await write(owner, 'Relaunch of the other site', second, true)
    // As written before notes could be marked.
    await sql(
      `INSERT INTO annotations (user_id, property_id, date, text, created_at)
     SELECT user_id, id, $2, 'An old remark', now() FROM properties WHERE name = $1`,
      [first, day],
    )

    const share = ok(
      reportShareMade,
      await owner.send('POST', '/api/report-shares', { subject: { property: first }, kind: 'week', start: week.start, days: 7 }),
    )
    const token = share.url.slice(`${app.url}/shared/`.length)
    const seen = async () => ok(sharedReport, await app.visitor().get(`/api/shared/${token}`))
    const notesSeen = async () => (await seen()).reports.flatMap(({ annotations: { notes } }) => notes.map(({ text }) => text))
    expect(await notesSeen()).toEqual(['New titles went live'])
    // For a client with both, each property shows its own.
    const ofBoth = ok(
      reportShareMade,
      await owner.send('POST', '/api/report-shares', { subject: { client: client.id }, kind: 'week', days: 7 }),
    )
    const both = ok(sharedReport, await app.visitor().get(`/api/shared/${ofBoth.url.slice(`${app.url}/shared/`.length)}`))
    expect(both.reports.map((report) => [report.property, report.annotations.notes.map(({ text }) => text)])).toEqual([
      [first, ['New titles went live']],
      [second, ['Relaunch of the other site']],
    ])
    // What Google published isn't secret, and stays.
    expect((await seen()).reports[0]?.annotations.incidents.length).toBeGreaterThanOrEqual(0)

    // The file behind the link stays the same whatever private notes are added, and changes as soon as a note is removed from it.
    const file = async () =>
      createHash('sha256')
        .update((await bytesOf(`/api/shared/${token}/report.pdf`, null)).bytes)
        .digest('hex')
    const before = await file()
    await write(owner, 'Another thing between us', first)
    await write(owner, 'And one on everything', null)
    expect(await file()).toBe(before)
    const changed = await owner.send('PATCH', `/api/annotations/${marked.id}`, { inReports: false })
    expect(changed).toMatchObject({ status: 200, body: { inReports: false } })
    expect(await notesSeen()).toEqual([])
    expect(await file()).not.toBe(before)
    const stored = await sql<{ file: string }>(`SELECT encode(sha256(pdf), 'hex') AS file FROM report_shares WHERE pdf IS NOT NULL`)
    expect(stored.map((each) => each.file)).not.toContain(before)

    // The same for a PDF made for sending: as long as that of a week without notes.
    const made = async () => {
      const { id } = ok(
        reportRun,
        await owner.send('POST', '/api/report-runs', { subject: { property: first }, kind: 'week', paper: 'a4', start: week.start }),
      )
      await finished(id)
      return (await bytesOf(`/api/report-runs/${id}/report.pdf`, owner)).bytes.length
    }
    const withNotes = await made()
    await sql(`DELETE FROM annotations WHERE NOT in_reports`)
    expect(Math.abs((await made()) - withNotes)).toBeLessThan(100)
  },
)

test("a note on all properties can't be marked for reports, by any route", async ({ owner, desk: { sql } }) => {
  const body = { date: day, text: 'Everywhere', property: null, inReports: true }
  expect(refused(await owner.send('POST', '/api/annotations', body))).toEqual([400, noteOfOneProperty])
  const { id } = await write(owner, 'Everywhere', null)
  expect(await owner.send('PATCH', `/api/annotations/${id}`, { inReports: true })).toMatchObject({
    status: 400,
    body: { message: noteOfOneProperty, field: 'inReports' },
  })
  await expect(sql('UPDATE annotations SET in_reports = true WHERE id = $1', [id])).rejects.toThrow(/check constraint/)
  const { notes } = annotations.parse((await owner.get(`/api/annotations?property=all`)).body)
  expect(notes.filter(({ property, inReports }) => property === null && inReports)).toEqual([])
})
