import { describe, expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import type { TestApp } from '../../../test/support/app.ts'
import { moveTo } from '../../../test/support/people.ts'
import { fallenSite, type FallingSite } from '../../../test/support/falling-site.ts'
import { alertReport, alerts } from '../../contract/alerts/alerts.ts'
import { verdictByLink } from '../../contract/alerts/verdict-link.ts'
import { deriveKey, loadSecretKeys } from '../platform/secrets.ts'
import { createVerdictTokens } from './verdict-links.ts'

let people = 0

const test = appTest({ today: '2026-03-18', demo: false })
  .extend('rater', async ({ app }) => {
    const rater = await fallenSite(app, `rater${++people}`, {
      plan: 'agency',
      prepare: async (owner) => void (await owner.send('POST', '/api/delivery-settings', { frequency: 'instant' })),
    })
    return rater
  })
  .extend('links', async ({ app, rater }) => linksOf((await app.mail.mailTo(rater.email, { kind: 'alerts' })).links))

/** The two links below each alert in an email: their text and their token. */
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
const incomplete = { message: 'This link is incomplete or too old. Open it again from the email, or from a newer one.', field: 'token' }
const gone = { message: 'This alert no longer exists.', field: 'token' }

test('each alert in an email has two links that rate it as clicked, without logging in', async ({ app, rater, links }) => {
  expect(links.map(({ say }) => say)).toEqual(['useful', 'noise', 'useful', 'noise'])
  const [critical, warning] = [links[0]!.token, links[2]!.token]
  const [first] = await listed(rater)
  const before = await ask(app.url, critical)
  expect(before).toMatchObject({ status: 200, body: { title: first!.title, property: rater.site, verdict: null, at: null } })
  expect([before.headers.get('x-robots-tag'), before.headers.get('referrer-policy'), before.headers.getSetCookie()]).toEqual([
    'noindex',
    'no-referrer',
    [],
  ])
  expect(await verdicts(rater)).toEqual([null, null])

  expect(await ask(app.url, critical, 'useful')).toMatchObject({ status: 200, body: { verdict: 'useful' } })
  expect(await verdicts(rater)).toEqual(['useful', null])
  expect(await ask(app.url, warning)).toMatchObject({ body: { verdict: null } })
})

test('a link used again shows the stored rating, and changes it', { tags: ['full'] }, async ({ app, rater, links }) => {
  const { token } = links[0]!
  for (let time = 1; time <= 2; time++) expect((await ask(app.url, token, 'useful')).status).toBe(200)
  expect(verdictByLink.parse((await ask(app.url, token)).body)).toMatchObject({ verdict: 'useful', at: expect.any(String) })
  expect(await ask(app.url, token, 'noise')).toMatchObject({ body: { verdict: 'noise' } })
  const [critical] = await listed(rater)
  const { timeline } = alertReport.parse((await rater.owner.get(`/api/alerts/${critical!.id}`)).body)
  const detail = 'Through the link in an email.'
  expect(timeline.slice(1)).toMatchObject([
    { reason: 'verdict_useful', by: null, detail },
    { reason: 'verdict_noise', by: null, detail },
  ])
})

describe('a forged link', () => {
  test('is refused, whatever alert it names', async ({ app, rater, links }) => {
    const [payload = '', signature = ''] = links[0]!.token.split('.')
    const [other = ''] = links[2]!.token.split('.')
    const mail = await app.mail.mailTo(rater.email, { kind: 'alerts' })
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
    expect(await verdicts(rater)).toEqual([null, null])
  })

  test("doesn't unsubscribe anyone either", { tags: ['full'] }, async ({ app, links }) => {
    const { status } = await fetch(`${app.url}/api/unsubscribe?token=${links[0]!.token}`, { method: 'POST' })
    expect(status).toBe(400)
  })

  test('a valid link only accepts valid ratings', { tags: ['full'] }, async ({ app, links }) => {
    for (const verdict of ['', 'critical', null]) expect((await ask(app.url, links[0]!.token, verdict as string)).status).toBe(400)
  })
})

describe('once the alert is gone', () => {
  test('it says so, even if another alert has its ID', { tags: ['full'] }, async ({ app, rater, links }) => {
    const { sql } = await app.stores()
    const [, warning] = await listed(rater)
    // As after a restore, which assigns new numbers.
    await sql(`UPDATE alerts SET opened_at = opened_at + interval '1 second' WHERE id = $1`, [warning!.id])
    for (const verdict of [undefined, 'noise'])
      expect(await ask(app.url, links[2]!.token, verdict)).toMatchObject({ status: 404, body: gone })
    expect(await verdicts(rater)).toEqual([null, null])
    await sql('DELETE FROM alerts WHERE id = $1', [warning!.id])
    expect(await ask(app.url, links[2]!.token, 'noise')).toMatchObject({ status: 404, body: gone })
    expect((await ask(app.url, links[0]!.token)).status).toBe(200)
  })

  test('or if the account is gone', { tags: ['full'] }, async ({ app, rater, links }) => {
    const { username } = (await rater.owner.get('/api/user')).body as { username: string }
    expect((await rater.owner.send('DELETE', '/api/user', { username })).status).toBe(204)
    for (const verdict of [undefined, 'useful'])
      expect(await ask(app.url, links[0]!.token, verdict)).toMatchObject({ status: 404, body: gone })
  })
})

describe('once the address no longer belongs to the account', () => {
  const left = { message: 'This link no longer works because alert emails are no longer sent to that address.', field: 'token' }
  /** Somebody whose alert emails go to a colleague who agreed, with the email the colleague got. */
  async function withColleague(app: TestApp) {
    const colleague = `colleague${++people}@example.test`
    const rater = await fallenSite(app, `rater${people}`, {
      plan: 'agency',
      prepare: async (owner) => {
        await owner.send('POST', '/api/delivery-settings', { frequency: 'instant' })
        await owner.send('PUT', '/api/delivery-channels/email', { address: colleague })
        const [link = ''] = (await app.mail.mailTo(colleague, { kind: 'confirm-delivery-address' })).links
        const token = new URL(link).searchParams.get('token')
        expect((await app.visitor().send('POST', '/api/delivery-channels/email/confirm', { token })).status).toBe(200)
      },
    })
    return { rater, mail: await app.mail.mailTo(colleague, { kind: 'alerts' }) }
  }

  test('a colleague who unsubscribed can no longer rate', async ({ app }) => {
    const { rater, mail } = await withColleague(app)
    const [first, second] = linksOf(mail.links)
    expect((await ask(app.url, first!.token, 'useful')).status).toBe(200)
    const unsubscribe = new URL(mail.links.find((link) => link.includes('/unsubscribe')) ?? '').searchParams.get('token') ?? ''
    expect((await fetch(`${app.url}/api/unsubscribe?token=${encodeURIComponent(unsubscribe)}`, { method: 'POST' })).status).toBe(200)
    for (const verdict of [undefined, 'noise'])
      for (const { token } of [first!, second!]) expect(await ask(app.url, token, verdict)).toMatchObject({ status: 404, body: left })
    expect(await verdicts(rater)).toEqual(['useful', null])
  })

  test('neither can a former colleague whose address the owner removed', { tags: ['full'] }, async ({ app }) => {
    const { rater, mail } = await withColleague(app)
    const [link] = linksOf(mail.links)
    expect((await rater.owner.send('PUT', '/api/delivery-channels/email', { address: null })).status).toBe(200)
    for (const verdict of [undefined, 'noise']) expect(await ask(app.url, link!.token, verdict)).toMatchObject({ status: 404, body: left })
    expect(await verdicts(rater)).toEqual([null, null])
  })

  test("nor whoever reads the account's previous address", { tags: ['full'] }, async ({ app, rater, links }) => {
    await moveTo(app, rater.owner, `moved-${rater.email}`)
    for (const verdict of [undefined, 'noise'])
      expect(await ask(app.url, links[0]!.token, verdict)).toMatchObject({ status: 404, body: left })
    expect(await verdicts(rater)).toEqual([null, null])
  })

  test('nor does a link in an older email, which contains no address', { tags: ['full'] }, async ({ app, rater, links }) => {
    const [payload = ''] = links[0]!.token.split('.')
    const [id, userId, openedAt] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [number, string, number, string]
    const [key] = await loadSecretKeys({ dataDir: app.dataDir })
    const older = createVerdictTokens(deriveKey(key, 'alert-verdict')).make([id, userId, openedAt])
    for (const verdict of [undefined, 'noise']) expect(await ask(app.url, older, verdict)).toMatchObject({ status: 404, body: left })
    expect(await verdicts(rater)).toEqual([null, null])
  })
})

test('nobody can flood a timeline with it', { tags: ['full'] }, async ({ app, rater, links }) => {
  for (let time = 0; time < 20; time++) expect((await ask(app.url, links[0]!.token, time % 2 === 0 ? 'useful' : 'noise')).status).toBe(200)
  expect((await ask(app.url, links[0]!.token, 'useful')).status).toBe(409)
  const [critical] = await listed(rater)
  expect(alertReport.parse((await rater.owner.get(`/api/alerts/${critical!.id}`)).body).timeline).toHaveLength(21)
})

test('nobody can evade the rate limit with the many addresses of one IPv6 network', async ({ app }) => {
  const from = async (address: string) =>
    (await fetch(`${app.url}/api/alert-verdict?token=made-up`, { headers: { 'x-forwarded-for': address } })).status
  const statuses = await Promise.all(Array.from({ length: 61 }, (_, at) => from(`2001:db8:0:7::${at.toString(16)}`)))
  expect([400, 429].map((status) => statuses.filter((each) => each === status).length)).toEqual([60, 1])
  expect(await from('2001:db8:0:8::1')).toBe(400)
})
