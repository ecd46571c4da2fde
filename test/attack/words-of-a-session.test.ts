import { extractText } from 'unpdf'
import { expect, onTestFinished, test, vi } from 'vitest'
import { evaluateAnswer } from '../../src/contract/alerts/alerts.ts'
import { saved } from '../../src/contract/explore/saved.ts'
import { reportClient, reportRun, reportRuns, reportSchedule, reportShareMade, sharedReport } from '../../src/contract/reports/reports.ts'
import { ok } from '../support/agency.ts'
import { startTestApp } from '../support/app.ts'
import { runJob } from '../support/jobs.ts'
import { samplesOf } from '../support/made-requests.ts'
import { leaveUnproven, newPerson } from '../support/people.ts'
import { type JsonSchema, withRouteTable } from '../support/route-table.ts'
import { watchedAtOnce } from '../support/stored-history.ts'
import { until } from '../support/until.ts'
import type { Visitor } from '../support/visitor.ts'

// A copied cookie, without the password, tried on everything that a session may send: whatever it writes, nobody outside the account reads
// a word of it. New endpoints are tried without being added here. Stopping reports needs no proof, so the thief may do that first; then
// their owner starts them again, with the password, and without looking for what else has changed.

vi.setConfig({ testTimeout: 300_000 })

const site = 'https://client.example/'
const imported = 'Figures of a client'
const week = { kind: 'week', start: '2026-03-09' }
const marker = 'Zq4711x'
const everything = 'page contains /'
const thiefs = 'thief@example.test'

const figures = (query: string) =>
  [
    'date,query,page,clicks,impressions,position',
    ...Array.from(
      { length: 15 },
      (_, at) => `2026-03-${String(at + 1).padStart(2, '0')},${query},https://client.example/a,${90 + at},900,2`,
    ),
  ].join('\n')

/** A schema's forms: as little as it requires, each of its other texts with that, and all of its fields. */
function formsOf(schema: JsonSchema): JsonSchema[] {
  const { properties = {}, required = [] } = schema
  const others = Object.keys(properties).filter((key) => !required.includes(key))
  const texts = others.filter((key) => /^(?!.*"enum").*"type":"string"/.test(JSON.stringify(properties[key])))
  return [schema, ...[...texts.map((key) => [key]), others].map((keys) => ({ ...schema, required: [...required, ...keys] }))]
}

/** What the thief does before writing. */
const beginnings = ['begins at once', 'first turns reports off and revokes links', 'first deletes everything'] as const

test.each(beginnings)(
  'nothing that a session without a proof may write, if it %s, is in a shared page, its PDF, or a report email',
  { tags: ['full'] },
  async (beginning) => {
    const { started: app, routes } = await withRouteTable(() => startTestApp({ today: '2026-03-18', demo: false }))
    onTestFinished(() => app.close())
    const owner = await newPerson(app, { email: 'agency@example.test', sites: { [site]: 'local' }, plan: 'agency' })
    await app.google.call('PUT', 'late', { site, days: 3 })
    await watchedAtOnce(app, site, { from: '2026-03-01' })
    const { sql } = await app.stores()
    const cookieOf = (who: Visitor) => [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    async function upload(who: Visitor, property: string, content: string, order: 'property' | 'file' = 'property') {
      const form = new FormData()
      if (order === 'property') form.append('property', property)
      form.append('file', new Blob([content]), 'figures.csv')
      if (order === 'file') form.append('property', property)
      const answer = await fetch(new URL('/api/import', app.url), { method: 'POST', body: form, headers: { cookie: cookieOf(who) } })
      return { status: answer.status, body: await answer.json() }
    }
    expect(await upload(owner, imported, figures('shoes'))).toMatchObject({ status: 200 })
    const send = async (method: 'POST' | 'PUT', path: string, body: unknown) => owner.send(method, path, body)
    /** What the reports are about. */
    async function describeReports() {
      const client = ok(reportClient, await send('POST', '/api/report-clients', { name: 'Bob', properties: [site, imported] })).id
      const segment = ok(saved, await send('POST', '/api/explore/saved', { kind: 'segment', name: 'Shop', content: everything })).id
      return { client, subjects: [{ subject: { client } }, { subject: { property: site }, segment }] }
    }
    type Subjects = Awaited<ReturnType<typeof describeReports>>['subjects']
    const share = (about: Subjects) =>
      Promise.all(
        about.map(async (each) => {
          const made = ok(reportShareMade, await send('POST', '/api/report-shares', { ...each, ...week, days: 7 }))
          return { id: made.id, token: new URL(made.url).pathname.replace('/shared/', '') }
        }),
      )
    const weekly = { kind: 'week', paper: 'a4', enabled: true, recipients: ['bob@client.example'] }
    const schedule = (about: Subjects) =>
      Promise.all(
        about.map(async (each) => {
          const body = { ...each, ...weekly }
          return { id: ok(reportSchedule, await send('POST', '/api/report-schedules', body)).id, body }
        }),
      )
    let { client, subjects } = await describeReports()
    let links = await share(subjects)
    let schedules = await schedule(subjects)
    await sql('UPDATE report_recipients SET confirmed_at = now()')
    await leaveUnproven(app)

    const thief = app.visitor()
    for (const [name, value] of owner.cookies) thief.cookies.set(name, value)
    const ofSession = routes.filter(({ endpoint }) => endpoint?.access === 'session' && !endpoint.changesNothing)
    const stops = beginning !== 'begins at once'
    for (const { id, body } of stops ? schedules : []) {
      const off = { ...body, enabled: false }
      const change = (changed: object) => thief.send('PUT', `/api/report-schedules/${id}`, { ...off, ...changed })
      expect(await change({})).toMatchObject({ status: 200 })
      const other = 'segment' in body ? { segment: null } : { subject: { property: site } }
      for (const changed of [{ recipients: ['bob@client.example', thiefs] }, { recipients: [thiefs] }, other])
        expect(await change(changed)).toMatchObject({ status: 403, body: { code: 'proof-needed' } })
    }
    for (const { id } of stops ? links : []) expect(await thief.send('DELETE', `/api/report-shares/${id}`)).toMatchObject({ status: 204 })
    const deletes = beginning === 'first deletes everything'
    const deleting = deletes ? ofSession.filter(({ method }) => method === 'DELETE') : []
    // Twice: a segment stays while a schedule is limited to it.
    for (const { url } of [...deleting, ...deleting]) {
      const ids = url.includes(':id') ? await idsIn(owner, url.split('/:id')[0] ?? '') : ['1']
      for (const id of ids) await thief.send('DELETE', url.replace(':id', id))
    }
    for (const list of deletes ? ['report-clients', 'report-schedules', 'report-shares', 'explore/saved'] : [])
      expect(await idsIn(owner, `/api/${list}`)).toEqual([])
    const taken = new Set<string>()
    const write = async (method: string, path: string, body: unknown): Promise<unknown> => {
      const answer = await thief.send(method as 'POST', path, body)
      expect({ method, path, status: answer.status }).not.toMatchObject({ status: 401 })
      if (answer.status < 300 && JSON.stringify([decodeURIComponent(path), body]).includes(marker))
        taken.add(`${method} ${path.split('?')[0]}`)
      return answer.status < 300 ? answer.body : null
    }

    // The likely ones first, since what the others change may keep them from being possible.
    const named = await write('POST', '/api/explore/saved', { kind: 'segment', name: marker, content: everything })
    const falling = { type: 'clicks', threshold: 1, direction: 'both', title: marker, segment: saved.parse(named).id }
    for (const monitor of ['site', 'top_pages', 'top_queries'])
      await write('POST', `/api/alert-conditions?property=${encodeURIComponent(site)}`, { ...falling, monitor })
    evaluateAnswer.parse(await write('POST', `/api/alerts/evaluate?property=${encodeURIComponent(site)}`, undefined))
    const opened = (await owner.get('/api/alerts?limit=100')).body as { title: string; entity: { kind: string } }[]
    expect(opened.filter(({ title }) => title.includes(`segment “${marker}”`)).map(({ entity }) => entity.kind)).toEqual(
      expect.arrayContaining(['segment']),
    )
    for (const order of ['property', 'file'] as const)
      for (const property of [imported, ` ${imported} `, site])
        expect(await upload(thief, property, figures(marker), order)).toMatchObject({ status: 403, body: { code: 'proof-needed' } })
    expect(await upload(thief, marker, figures(marker))).toMatchObject({ status: 200 })
    expect(await thief.send('PATCH', '/api/user', { username: marker })).toMatchObject({ status: 403, body: { code: 'proof-needed' } })

    const belongings = { property: site, client, alert: '1', text: marker }
    const writing = ofSession.filter(({ method }) => ['POST', 'PUT', 'PATCH'].includes(method))
    expect(writing.length).toBeGreaterThan(40)
    for (const { method, url, query, body } of writing) {
      const ids = url.includes(':id') ? await idsIn(owner, url.split('/:id')[0] ?? '') : ['1']
      const queries = query ? formsOf(query).flatMap((form) => samplesOf(form, belongings)) : [{ value: {} }]
      const bodies = body ? formsOf(body).flatMap((form) => samplesOf(form, belongings)) : [{ value: undefined }]
      for (const id of ids)
        for (const asked of queries)
          for (const { value } of bodies) {
            const search = new URLSearchParams(asked.value as Record<string, string>).toString()
            await write(method, `${url.replace(':id', id)}${search && '?'}${search}`, value)
          }
    }
    expect([...taken]).toEqual(
      expect.arrayContaining([
        'POST /api/explore/saved',
        'POST /api/alert-conditions',
        'POST /api/annotations',
        'POST /api/report-clients',
      ]),
    )

    const textOf = async (path: string, who: Visitor): Promise<string> => {
      const answer = await fetch(new URL(path, app.url), { headers: { cookie: cookieOf(who) } })
      expect({ path, status: answer.status }).toMatchObject({ status: 200 })
      return (await extractText(new Uint8Array(await answer.arrayBuffer()), { mergePages: true })).text
    }
    // The owner starts again whatever has stopped.
    await sql('UPDATE sessions SET proven_at = now()')
    await sql('UPDATE properties SET monitored = true WHERE name IN ($1, $2)', [site, imported])
    if (deletes) {
      subjects = (await describeReports()).subjects
      schedules = await schedule(subjects)
    }
    if (stops) links = await share(subjects)
    for (const { id, body } of schedules) ok(reportSchedule, await send('PUT', `/api/report-schedules/${id}`, body))

    const left: Record<string, string> = {}
    for (const { token } of links) {
      const page = ok(sharedReport, await app.visitor().get(`/api/shared/${token}`))
      left[`page ${page.title}`] = JSON.stringify(page)
      left[`PDF ${page.title}`] = await textOf(`/api/shared/${token}/report.pdf`, app.visitor())
    }
    await sql('UPDATE report_schedules SET first_start = $1, look_at = $2 WHERE enabled', [week.start, app.google.now()])
    await runJob(app, 'report-due')
    const mails = await until(
      () => app.mail.mails('bob@client.example'),
      (all) => all.filter(({ attachments }) => attachments.length > 0).length === subjects.length,
      150_000,
    )
    for (const { id, ...mail } of mails) left[`mail ${id}`] = JSON.stringify(mail)
    const runs = ok(reportRuns, await owner.get('/api/report-runs')).filter(({ recipients, state }) => recipients > 0 && state === 'done')
    expect(runs).toHaveLength(subjects.length)
    for (const { id } of runs) left[`attached ${reportRun.shape.id.parse(id)}`] = await textOf(`/api/report-runs/${id}/report.pdf`, owner)
    expect(await app.mail.mails(thiefs)).toEqual([])
    expect(Object.keys(left).filter((where) => left[where]?.toLowerCase().includes(marker.toLowerCase()))).toEqual([])

    // Not for want of anything to read: the alerts are there, under the owner's name for the segment, or without one.
    const [whole, limited] = links.map((_, at) => Object.entries(left).filter(([where]) => where.startsWith('page'))[at]![1])
    expect(whole).toContain('in part of the site')
    expect(limited).toContain('in segment “Shop”')

    // After the password, all of it is the owner's to do.
    expect(await upload(owner, imported, figures('boots'))).toMatchObject({ status: 200, body: { changed: true } })
    expect(await owner.send('PATCH', '/api/user', { username: 'north' })).toMatchObject({ status: 200 })
  },
)

async function idsIn(owner: Visitor, list: string): Promise<string[]> {
  const found = JSON.stringify((await owner.get(list)).body).matchAll(/"id":"?(\w+)"?/g)
  return [...new Set(Array.from(found, ([, id]) => id ?? ''))].slice(0, 3)
}
