import { expect } from 'vitest'
import { picture, upload } from '../support/agency.ts'
import { appTest } from '../support/app-test.ts'
import { leaveUnproven } from '../support/people.ts'
import { ownerAtOnce } from '../support/stored-history.ts'
import type { Answer, Visitor } from '../support/visitor.ts'
import { note } from '../../src/contract/annotations.ts'
import { reportClient, reportSchedule, reportShareMade } from '../../src/contract/reports/reports.ts'
import { saved } from '../../src/contract/explore/saved.ts'

// A copied cookie, without the password, and an agency's clients, who trust its reports: nothing in them is the thief's, nor when they come.

const site = 'https://client.example/'
const other = 'https://own.example/'
const refused = { status: 403, body: { code: 'proof-needed' } }
const brand = { name: 'Agency', color: '#123456', senderName: 'Agency', replyTo: null }

const test = appTest({ today: '2026-03-18', demo: false })

test("a session without a proof can't write to an agency's clients: not by brand, logo, names or notes, nor by sending", async ({
  app,
}) => {
  const owner = await ownerAtOnce(app, site, { profile: 'local', days: 18, email: 'agency@example.test', plan: 'agency' })
  const { sql } = await app.stores()
  await sql(
    `INSERT INTO properties (user_id, name, monitored, kind, permission_level) SELECT user_id, $2, true, kind, permission_level FROM properties WHERE name = $1`,
    [site, other],
  )
  const make = async (path: string, body: unknown): Promise<Answer['body']> => {
    const { status, body: made } = await owner.send('POST', path, body)
    expect({ path, status, made }).toMatchObject({ status: 201 })
    return made
  }
  const client = reportClient.parse(await make('/api/report-clients', { name: 'Bob', properties: [site] })).id
  const own = reportClient.parse(await make('/api/report-clients', { name: 'Ours', properties: [other] })).id
  const segment = saved.parse(await make('/api/explore/saved', { kind: 'segment', name: 'Blog', content: 'page contains blog' })).id
  const unused = saved.parse(await make('/api/explore/saved', { kind: 'segment', name: 'Shop', content: 'page contains shop' })).id
  const noteOf = async (property: string, inReports: boolean) =>
    note.parse(await make('/api/annotations', { date: '2026-03-10', text: 'Relaunch', property, inReports })).id
  const [shown, inside, ofOther] = [await noteOf(site, true), await noteOf(site, false), await noteOf(other, true)]
  const weekly = { kind: 'week', paper: 'a4', enabled: true }
  const toBob = { ...weekly, subject: { client }, segment, recipients: ['bob@client.example'] }
  const schedule = reportSchedule.parse(await make('/api/report-schedules', toBob)).id
  const toOwner = reportSchedule.parse(
    await make('/api/report-schedules', { ...weekly, subject: { client: own }, recipients: ['Agency@example.test'] }),
  ).id
  await sql('UPDATE report_recipients SET confirmed_at = now()')
  expect((await owner.send('PUT', '/api/report-brand', brand)).status).toBe(200)
  await leaveUnproven(app)

  const thief = app.visitor()
  for (const [name, value] of owner.cookies) thief.cookies.set(name, value)
  const logo = await picture(40, 20).png().toBuffer()
  const saveLogo = (who: Visitor) => upload(app, who, logo)
  const run = (about: string, to: string) => ({ subject: { client: about }, kind: 'week', paper: 'a4', schedule: to })
  const invoice = 'Invoice overdue'
  const attempts = [
    ['PUT', '/api/report-brand', { ...brand, senderName: invoice }],
    ['PUT', '/api/report-brand', { ...brand, name: invoice }],
    ['PUT', `/api/report-clients/${client}`, { name: invoice, properties: [site] }],
    ['PATCH', `/api/explore/saved/${segment}`, { name: invoice }],
    ['POST', '/api/annotations', { date: '2026-03-11', text: invoice, property: site, inReports: true }],
    ['PATCH', `/api/annotations/${shown}`, { text: invoice }],
    ['PATCH', `/api/annotations/${inside}`, { text: invoice, inReports: true }],
    ['POST', '/api/report-runs', { ...run(client, schedule), segment }],
  ] as const
  for (const [method, path, body] of attempts) {
    const answer = await thief.send(method, path, body)
    expect({ path, ...answer }).toMatchObject({ path, ...refused })
  }
  expect(await saveLogo(thief)).toMatchObject(refused)

  // What only the owner sees, and what others see no more, needs none.
  const ok = async (...[method, path, body]: Parameters<Visitor['send']>) => {
    const { status, body: said } = await thief.send(method, path, body)
    expect({ method, path, status: status < 300, said }).toMatchObject({ status: true })
  }
  await ok('PUT', '/api/report-brand', brand)
  await ok('PUT', `/api/report-clients/${own}`, { name: 'All of ours', properties: [other] })
  await ok('PATCH', `/api/explore/saved/${unused}`, { name: 'Store' })
  await ok('PATCH', `/api/annotations/${inside}`, { text: 'Relaunch, at last' })
  await ok('PATCH', `/api/annotations/${ofOther}`, { text: 'Relaunch, at last' })
  await ok('PATCH', `/api/annotations/${shown}`, { inReports: false })
  await ok('POST', '/api/report-runs', run(own, toOwner))

  // Turned off, it counts all the same: its owner may turn it on again without looking.
  const stayRefused = async (...but: readonly string[]) => {
    // Nothing is sent while it is off, and one note isn't in reports anymore.
    const others = ['/api/report-runs', `/api/annotations/${shown}`]
    for (const [method, path, body] of attempts.filter((one) => ![...others, ...but].includes(one[1])))
      expect({ path, ...(await thief.send(method, path, body)) }).toMatchObject({ path, ...refused })
  }
  await ok('PUT', `/api/report-schedules/${schedule}`, { ...toBob, enabled: false })
  await stayRefused()

  // So does a report whose last reader has unsubscribed: the next one may be shown the same.
  const { links } = await app.mail.mailTo('bob@client.example', { kind: 'confirm-report-recipient' })
  const leaving = links.find((each) => each.includes('/api/report-unsubscribe')) ?? ''
  expect((await fetch(leaving, { method: 'POST' })).status).toBe(200)
  expect(await sql('SELECT recipients FROM report_schedules WHERE id = $1', [schedule])).toEqual([{ recipients: [] }])
  await stayRefused()

  // A link alone shows as much, to whoever has it, and for 90 days to whoever had it.
  const forget = () => sql(`UPDATE shown_lately SET last_at = last_at - interval '90 days'`)
  await forget()
  await ok('PUT', '/api/report-brand', { ...brand, name: 'Agency Ltd' })
  await sql('UPDATE sessions SET proven_at = now()')
  const link = reportShareMade.parse(await make('/api/report-shares', { subject: { client }, kind: 'week', days: 7 }))
  await leaveUnproven(app)
  const ofSegment = `/api/explore/saved/${segment}`
  await stayRefused(ofSegment)
  await ok('DELETE', `/api/report-shares/${link.id}`, undefined)
  await stayRefused(ofSegment)
  await forget()
  await ok('PUT', '/api/report-brand', { ...brand, name: 'Agency Inc' })

  // After the password, all of it is the owner's to do.
  await sql('UPDATE sessions SET proven_at = now()')
  await sql(`UPDATE report_schedules SET enabled = true, recipients = '{bob@client.example}' WHERE id = $1`, [schedule])
  await sql('UPDATE report_recipients SET unsubscribed_at = NULL, confirmed_at = now()')
  for (const [method, path, body] of attempts) expect((await owner.send(method, path, body)).status).toBeLessThan(300)
  expect((await saveLogo(owner)).status).toBe(200)
})
