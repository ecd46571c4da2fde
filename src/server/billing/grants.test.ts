import { expect, vi } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { runJob } from '../../../test/support/jobs.ts'
import { newPerson } from '../../../test/support/people.ts'
import { databaseUrlOf } from '../../../test/support/stores.ts'
import { until } from '../../../test/support/until.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { auditLog } from '../../contract/audit.ts'
import { createSubscriptionAnswer, subscription } from '../../contract/billing.ts'
import { type PlanId, user } from '../../contract/user.ts'
import { runGrant } from '../commands/grant.ts'

const me = async (person: Visitor) => user.parse((await person.get('/api/user')).body)
const subscriptionNow = async (person: Visitor) => subscription.parse((await person.get('/api/subscription')).body)
const notes = async (person: Visitor) =>
  auditLog.parse((await person.get('/api/audit-log')).body).events.map(({ by, change }) => ({ by, change }))
let people = 0

const test = appTest({ demo: false })
  // Nothing here needs data: every sync stops at its first request.
  .extend('withoutData', { scope: 'file', auto: true }, ({ app }) => app.google.fail({ error: 'loadQuota', times: 100_000, kind: 'query' }))
  .extend('desk', { scope: 'file' }, ({ app }) => {
    /** `npm run grant`. */
    async function grant(args: readonly string[], env: Record<string, string> = {}): Promise<{ code: number; said: string }> {
      const said: string[] = []
      const hears = (text: unknown): boolean => said.push(String(text)) > 0
      const spies = [
        vi.spyOn(process.stdout, 'write').mockImplementation(hears),
        vi.spyOn(process.stderr, 'write').mockImplementation(hears),
      ]
      try {
        return { code: await runGrant(args, { DATA_DIR: app.dataDir, DEMO: '0', ...env }), said: said.join('') }
      } finally {
        for (const spy of spies) spy.mockRestore()
      }
    }

    async function somebody(count = 3) {
      const email = `granted-${++people}@example.test`
      const sites = Array.from({ length: count }, (_, i) => `https://site${i + 1}.granted-${people}.example/`)
      const person = await newPerson(app, { email, sites: Object.fromEntries(sites.map((site) => [site, 'empty' as const])) })
      return { email, sites, person }
    }
    async function pay(person: Visitor, planType: PlanId): Promise<void> {
      const begun = createSubscriptionAnswer.parse((await person.send('POST', '/api/create-subscription', { planType })).body)
      if ('clientSecret' in begun) await app.stripe.pay(begun.clientSecret)
    }
    return { grant, somebody, pay }
  })

test("the command grants and revokes a plan, which appears in the owner's activity log and covers their sites", async ({
  app,
  desk: { grant, somebody },
}) => {
  const { email, sites, person } = await somebody()
  expect(await grant([email, 'agency'])).toMatchObject({ code: 0, said: `${email} is now on the Agency plan.\n` })
  expect(await me(person)).toMatchObject({ plan: 'agency', planChosen: true, siteLimit: 25 })
  expect(await notes(person)).toContainEqual({ by: 'house', change: { kind: 'plan-granted', details: { plan: 'agency' } } })
  expect(await grant([email, 'agency'])).toMatchObject({ code: 0, said: `${email} already has the Agency plan.\n` })
  await person.send('POST', '/api/gsc-properties/monitor', { sites })

  expect(await grant([email, 'free'])).toMatchObject({ code: 0, said: `${email} is now on the Free plan.\n` })
  expect(
    await until(
      () => me(person),
      ({ sitesPaused }) => sitesPaused > 0,
    ),
  ).toMatchObject({ plan: 'free', sitesMonitored: 1 })
  expect((await app.mail.mailTo(email, { kind: 'plan-ended' })).text).toContain('2 sites are paused')
  expect(await notes(person)).toContainEqual({ by: 'house', change: { kind: 'plan-granted', details: { plan: 'free' } } })
})

test(
  'neither webhooks nor the nightly check undo it, even after an abandoned payment or an ended subscription',
  { tags: ['full'] },
  async ({ app, desk: { grant, somebody, pay } }) => {
    const { email, person } = await somebody()
    await pay(person, 'pro')
    await person.send('POST', '/api/subscription/change', { planType: 'free' })
    await app.stripe.advance({ days: 40 })
    expect((await me(person)).plan).toBe('free')
    await grant([email, 'pro'])

    await person.send('POST', '/api/subscription/refresh')
    await runJob(app, 'billing-review')
    expect((await me(person)).plan).toBe('pro')

    // A better one can be paid on top of it, and leaves it in place when it ends.
    await pay(person, 'agency')
    expect((await me(person)).plan).toBe('agency')
    await app.mail.mailTo(email, { kind: 'plan-changed', subject: /Agency/ })
    await app.mail.clear()
    await person.send('POST', '/api/subscription/change', { planType: 'free' })
    expect(await subscriptionNow(person)).toMatchObject({ plan: 'agency', nextPlan: 'pro' })
    await app.stripe.advance({ days: 40 })
    await person.send('POST', '/api/subscription/refresh')
    expect((await me(person)).plan).toBe('pro')
    // Nobody is charged for it.
    const { text } = await app.mail.mailTo(email, { kind: 'plan-changed' })
    expect(text).toContain('Free of charge')
    expect(text).not.toContain('$')
  },
)

test(
  "a granted plan can't be bought and a paid one can't be granted; choosing Free gives up the grant",
  { tags: ['full'] },
  async ({ desk: { grant, somebody, pay } }) => {
    const { email, sites, person } = await somebody()
    await grant([email, 'agency'])
    const refused = { status: 409, body: { message: expect.stringContaining('was given to you') } }
    expect(await person.send('POST', '/api/create-subscription', { planType: 'pro' })).toMatchObject(refused)
    await person.send('POST', '/api/gsc-properties/monitor', { sites })
    expect(await person.send('POST', '/api/subscription/change', { planType: 'free' })).toMatchObject({
      status: 200,
      body: { outcome: 'changed' },
    })
    expect(await me(person)).toMatchObject({ plan: 'free', sitesMonitored: 1, sitesPaused: 2, selectedProperty: sites[0] })

    await pay(person, 'pro')
    expect(await grant([email, 'agency'])).toMatchObject({ code: 1, said: expect.stringContaining('pays for the Pro plan') })
  },
)

test(
  "the command also works without a running server, and refuses what it can't do",
  { tags: ['full'] },
  async ({ app, desk: { grant, somebody } }) => {
    const { email, person } = await somebody()
    expect(await grant(['nobody', 'pro'])).toMatchObject({ code: 1, said: 'There is no account "nobody".\n' })
    expect(await grant([email, 'gold'])).toMatchObject({ code: 1, said: expect.stringContaining('the plan must be free, pro or agency') })
    expect(await grant([])).toMatchObject({ code: 1, said: expect.stringContaining('Usage: npm run grant -- PERSON PLAN') })
    const keys = { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_PUBLISHABLE_KEY: 'pk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' }
    const DATABASE_URL = await databaseUrlOf(app.dataDir)
    await app.restart(async () => {
      expect(await grant([email, 'pro'], { ...keys, DATABASE_URL })).toMatchObject({
        code: 0,
        said: `${email} is now on the Pro plan.\n`,
      })
      const nothing = "There's nothing to grant: this installation sells no plans (BILLING=off), so everyone has every feature.\n"
      expect(await grant([email, 'pro'], { ...keys, DATABASE_URL, BILLING: 'off' })).toMatchObject({ code: 1, said: nothing })
    })
    expect((await me(person)).plan).toBe('pro')
  },
)
