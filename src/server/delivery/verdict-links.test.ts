import { describe, expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { fallenSite, type FallingSite } from '../../../test/support/falling-site.ts'
import { alertReport, alerts, verdictByLink } from '../../contract/alerts/alerts.ts'

let people = 0

const test = appTest({ today: '2026-03-18', demo: false })
  .extend('told', async ({ app }) => {
    const told = await fallenSite(app, `rater${++people}`, {
      plan: 'agency',
      prepare: async (owner) => void (await owner.send('POST', '/api/delivery-settings', { frequency: 'instant' })),
    })
    return told
  })
  .extend('links', async ({ app, told }) => linksOf((await app.mail.mailTo(told.email, { kind: 'alerts' })).links))

/** The two links below each alert of a mail: what they say, and their token. */
const linksOf = (links: readonly string[]) =>
  links.flatMap((link) => {
    const { pathname, searchParams } = new URL(link)
    return pathname === '/alert-verdict' ? [{ say: searchParams.get('say'), token: searchParams.get('token') ?? '' }] : []
  })

async function ask(url: string, token: string, verdict?: string) {
  const init =
    verdict === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ verdict }) }
  const answer = await fetch(`${url}/api/alert-verdict?token=${encodeURIComponent(token)}`, init)
  return { status: answer.status, body: (await answer.json()) as unknown, headers: answer.headers }
}
type Owned = Pick<FallingSite, 'owner'>
const listed = async ({ owner }: Owned) => alerts.parse((await owner.get('/api/alerts')).body)
const verdicts = async (owned: Owned) => (await listed(owned)).map(({ verdict }) => verdict)
const incomplete = { message: 'This link is incomplete. Open it again from the email.', field: 'token' }
const gone = { message: 'This alert no longer exists.', field: 'token' }

test('each alert of a mail has two links that say of it what was pressed, without logging in', async ({ app, told, links }) => {
  expect(links.map(({ say }) => say)).toEqual(['useful', 'noise', 'useful', 'noise'])
  const [critical, warning] = [links[0]!.token, links[2]!.token]
  const [first] = await listed(told)
  const before = await ask(app.url, critical)
  expect(before).toMatchObject({ status: 200, body: { title: first!.title, property: told.site, verdict: null, at: null } })
  expect([before.headers.get('x-robots-tag'), before.headers.get('referrer-policy'), before.headers.getSetCookie()]).toEqual([
    'noindex',
    'no-referrer',
    [],
  ])
  expect(await verdicts(told)).toEqual([null, null])

  expect(await ask(app.url, critical, 'useful')).toMatchObject({ status: 200, body: { verdict: 'useful' } })
  expect(await verdicts(told)).toEqual(['useful', null])
  expect(await ask(app.url, warning)).toMatchObject({ body: { verdict: null } })
})

test('a link used twice says what was stored, and changes it', async ({ app, told, links }) => {
  const { token } = links[0]!
  for (let time = 1; time <= 2; time++) expect((await ask(app.url, token, 'useful')).status).toBe(200)
  expect(verdictByLink.parse((await ask(app.url, token)).body)).toMatchObject({ verdict: 'useful', at: expect.any(String) })
  expect(await ask(app.url, token, 'noise')).toMatchObject({ body: { verdict: 'noise' } })
  const [critical] = await listed(told)
  const { timeline } = alertReport.parse((await told.owner.get(`/api/alerts/${critical!.id}`)).body)
  const detail = 'Through the link in an email.'
  expect(timeline.slice(1)).toMatchObject([
    { reason: 'verdict_useful', by: null, detail },
    { reason: 'verdict_noise', by: null, detail },
  ])
})

describe('a link that is not ours', () => {
  test('is refused, whichever alert it names', async ({ app, told, links }) => {
    const [payload = '', signature = ''] = links[0]!.token.split('.')
    const [other = ''] = links[2]!.token.split('.')
    const mail = await app.mail.mailTo(told.email, { kind: 'alerts' })
    const unsubscribe = new URL(mail.links.find((link) => link.includes('/unsubscribe')) ?? '').searchParams.get('token') ?? ''
    const nobody = Buffer.from(JSON.stringify([999_999, 'nobody', 0])).toString('base64url')
    for (const token of [
      'x',
      payload,
      `${other}.${signature}`,
      `${nobody}.${signature}`,
      `${payload}.${signature.slice(0, -2)}`,
      unsubscribe,
    ])
      for (const verdict of [undefined, 'noise'])
        expect(await ask(app.url, token, verdict)).toMatchObject({ status: 400, body: incomplete })
    expect(await verdicts(told)).toEqual([null, null])
  })

  test('unsubscribes nobody either', async ({ app, links }) => {
    const { status } = await fetch(`${app.url}/api/unsubscribe?token=${links[0]!.token}`, { method: 'POST' })
    expect(status).toBe(400)
  })

  test('gives nothing but what it is for', async ({ app, links }) => {
    for (const verdict of ['', 'critical', null]) expect((await ask(app.url, links[0]!.token, verdict as string)).status).toBe(400)
  })
})

describe('once its alert is gone', () => {
  test('says so, though another one has its number', async ({ app, told, links }) => {
    const { sql } = await app.stores()
    const [, warning] = await listed(told)
    // As after a restore, when numbers are given anew.
    await sql(`UPDATE alerts SET opened_at = opened_at + interval '1 second' WHERE id = $1`, [warning!.id])
    for (const verdict of [undefined, 'noise'])
      expect(await ask(app.url, links[2]!.token, verdict)).toMatchObject({ status: 404, body: gone })
    expect(await verdicts(told)).toEqual([null, null])
    await sql('DELETE FROM alerts WHERE id = $1', [warning!.id])
    expect(await ask(app.url, links[2]!.token, 'noise')).toMatchObject({ status: 404, body: gone })
    expect((await ask(app.url, links[0]!.token)).status).toBe(200)
  })

  test('or its account', async ({ app, told, links }) => {
    const { username } = (await told.owner.get('/api/user')).body as { username: string }
    expect((await told.owner.send('DELETE', '/api/user', { username })).status).toBe(204)
    for (const verdict of [undefined, 'useful'])
      expect(await ask(app.url, links[0]!.token, verdict)).toMatchObject({ status: 404, body: gone })
  })
})

test('nobody fills a timeline with it', async ({ app, told, links }) => {
  for (let time = 0; time < 20; time++) expect((await ask(app.url, links[0]!.token, time % 2 === 0 ? 'useful' : 'noise')).status).toBe(200)
  expect((await ask(app.url, links[0]!.token, 'useful')).status).toBe(409)
  const [critical] = await listed(told)
  expect(alertReport.parse((await told.owner.get(`/api/alerts/${critical!.id}`)).body).timeline).toHaveLength(21)
})
