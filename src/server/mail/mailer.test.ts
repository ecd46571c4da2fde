import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type SmtpStandIn, startSmtp } from '../../../emulators/smtp/server.ts'
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { hasten } from '../../../test/support/jobs.ts'
import { createMailControl, type Mail, type MailControl } from '../../../test/support/mail-control.ts'
import { eventually, recordingLog, silentLog } from '../../../test/support/platform.ts'
import { until } from '../../../test/support/until.ts'
import { inFull } from '../../../test/support/in-full.ts'
import type { Db } from '../database/open.ts'
import { isLoopback } from '../config.ts'
import { openQueue, type Queue } from '../platform/queue.ts'
import { createVault } from '../platform/secrets.ts'
import { newTenancy, runAs } from '../platform/tenant.ts'
import { workOnMail } from './deliver.ts'
import type { EmailToAnybody } from './email.ts'
import { createMailer, defineMailQueue, type Email, type Mailer, mailQueues } from './mailer.ts'
import { sendMail } from './send.ts'

const from = 'Ranklark <no-reply@ranklark.example>'
const baseUrl = 'https://rank.example'
const vault = createVault('a secret key of at least 32 characters')
const reset: Email = {
  kind: 'reset-password',
  to: 'ann@people.example',
  username: 'ann',
  link: `${baseUrl}/reset-password?token=t0ken-in-the-link`,
  others: [],
  isConfirmed: true,
}

let database: TestDatabase
let smtp: SmtpStandIn
let post: MailControl

beforeAll(async () => {
  database = await openTestDatabase()
  smtp = await startSmtp()
  post = createMailControl(smtp.url)
})
afterAll(async () => {
  await smtp.close()
  await database.close()
})
beforeEach(async () => {
  await post.reset()
  await database.pool.query('DELETE FROM jobs.job')
})

/** Sends emails of every kind, within the limits for strangers unless it says otherwise. */
type AnyMailer = { send(email: Email, options?: { transaction?: Db; admitted?: boolean }): Promise<void> }
const sendingAny = (mailer: Mailer): AnyMailer => ({
  send: (email, options) => mailer.send(email as EmailToAnybody, { admitted: true, ...options }),
})

type Bench = { queue: Queue; mailer: AnyMailer; plain: Mailer; lines: string[]; advance(ms: number): void; work(): Promise<void> }

/** A mailer on its own queue that retries after a second; sends nothing before `work`. */
async function open({ smtpUrl = smtp.smtpUrl }: { smtpUrl?: string | null } = {}): Promise<Bench> {
  const { log, lines } = recordingLog()
  let now = new Date('2026-07-15T20:00:00Z')
  const clock = { now: () => now }
  const mail = smtpUrl === null ? undefined : { smtpUrl, from }
  const queue = await openQueue({ url: database.url, log: silentLog, worker: true })
  onTestFinished(() => queue.close(1000))
  await defineMailQueue(queue, { first: 1, most: 1 })
  const plain = createMailer({ queue, vault, mail, baseUrl: () => baseUrl, clock, log })
  return {
    queue,
    lines,
    plain,
    mailer: sendingAny(plain),
    advance: (ms) => void (now = new Date(now.getTime() + ms)),
    work: () => workOnMail({ queue, vault, mail, clock, log }),
  }
}

async function jobs(): Promise<{ state: string; row: string }[]> {
  const { rows } = await database.pool.query<{ state: string; row: string }>(
    `SELECT state, job::text AS row FROM jobs.job WHERE name LIKE 'mail%'`,
  )
  return rows
}

/** The email to an address, skipping the pauses between attempts. */
async function arrived(to: string): Promise<Mail> {
  const sql = async <Row extends object>(text: string, values: unknown[] = []) => (await database.pool.query<Row>(text, values)).rows
  const [mail] = await until(
    async () => {
      for (const name of mailQueues) await hasten(sql, name)
      return post.mails(to)
    },
    (mails) => mails.length > 0,
  )
  return mail!
}

const outcomes = async (): Promise<string[]> => (await post.attempts()).map((each) => each.outcome)

test('an email arrives once, with both parts, sender, date and a header that prevents out-of-office replies', async () => {
  const { mailer, work } = await open()
  await work()
  await mailer.send(reset)
  const mail = await post.mailTo('ann@people.example')
  expect(mail).toMatchObject({ subject: 'Reset your password', kind: 'reset-password' })
  expect(mail.links).toContain('https://rank.example/reset-password?token=t0ken-in-the-link')
  expect(mail.html).toContain('href="https://rank.example/reset-password?token=t0ken-in-the-link"')
  expect(mail.header('from')).toBe(from)
  expect(mail.header('to')).toBe('ann@people.example')
  expect(mail.header('date')).toBe('Wed, 15 Jul 2026 20:00:00 +0000')
  expect(mail.header('auto-submitted')).toBe('auto-generated')
  expect(mail.messageId).toMatch(/^<[\w-]+@ranklark\.example>$/)
  await eventually(async () => expect((await jobs()).map((job) => job.state)).toEqual(['completed']))
  expect(await outcomes()).toEqual(['accepted'])
})

describe('temporary failures are retried', () => {
  test('the mail server is down, and returns', async () => {
    const { mailer, work, lines } = await open()
    await post.setListening(false)
    await work()
    await mailer.send(reset)
    await eventually(() => expect(lines.join('')).toContain('will retry'))
    expect(await post.mails()).toEqual([])
    await post.setListening(true)
    expect((await arrived('ann@people.example')).subject).toBe('Reset your password')
  })

  test('it refuses the recipient or the message for now, or breaks the connection', async () => {
    const { mailer, work } = await open()
    const faults = ['recipient451', 'message451', 'reset']
    for (const error of faults) {
      await post.fail({ error, to: `${error}@people.example` })
      await mailer.send({ ...reset, to: `${error}@people.example` })
    }
    await work()
    for (const error of faults) await arrived(`${error}@people.example`)
    expect((await outcomes()).toSorted()).toEqual(['accepted', 'accepted', 'accepted', ...faults].toSorted())
  })

  test.each(['busy421', ...inFull(['sender550'])])('%s, without revealing the email', async (error) => {
    const { mailer, work } = await open()
    await post.fail({ error })
    await mailer.send(reset)
    await work()
    await arrived('ann@people.example')
    expect(await outcomes()).toEqual([error, 'accepted'])
  })

  test('with the same Message-ID and date', async () => {
    const { mailer, work, advance } = await open()
    await post.fail({ error: 'message451', times: 2 })
    await mailer.send(reset)
    advance(60_000)
    await work()
    const mail = await arrived('ann@people.example')
    expect(new Set((await post.attempts()).map((each) => each.messageId))).toEqual(new Set([mail.messageId]))
    expect(await outcomes()).toEqual(['message451', 'message451', 'accepted'])
    expect(mail.header('date')).toBe('Wed, 15 Jul 2026 20:00:00 +0000')
  })
})

test.each(['recipient550', 'message554'])('%s: not retried, and logged without the link', async (error) => {
  const { mailer, work, lines } = await open()
  await post.fail({ error })
  await work()
  await mailer.send(reset)
  await eventually(() => expect(lines.join('')).toContain('an email was permanently rejected'))
  await eventually(async () => expect((await jobs()).map((job) => job.state)).toEqual(['completed']))
  expect(await outcomes()).toEqual([error])
  expect(lines.join('')).toContain('"kind":"reset-password"')
  expect(lines.join('')).not.toContain('t0ken-in-the-link')
})

test.each([
  [reset, 3600_000],
  [{ kind: 'password-changed', to: 'ann@people.example', username: 'ann' } as const, 24 * 3600_000],
])('$kind: given up when it is too late to help', async (email, ms) => {
  const { mailer, work, lines, advance } = await open()
  await mailer.send(email)
  advance(ms + 1000)
  await work()
  await eventually(() => expect(lines.join('')).toContain('gave up'))
  expect(await post.attempts()).toEqual([])
})

test('an email survives the end of the process that wrote it', async () => {
  const first = await open()
  await first.mailer.send(reset)
  await first.queue.close(1000)
  const second = await open()
  await second.work()
  expect(await post.mailTo('ann@people.example')).toMatchObject({ kind: 'reset-password' })
})

test('no link, address or name is readable in the database, even after a failure', async () => {
  const { mailer, work, lines } = await open()
  await post.fail({ error: 'recipient451', times: 1000 })
  await work()
  await mailer.send(reset)
  await eventually(() => expect(lines.join('')).toContain('will retry'))
  await eventually(async () => expect((await jobs()).map((job) => job.state)).toEqual(['retry']))
  const [job] = await jobs()
  expect(job?.row).toContain('The email could not be sent')
  expect(job?.row).not.toMatch(/t0ken|ann@|"ann"/)
})

test('sent in a transaction, it exists only if that commits', async () => {
  const { mailer, work } = await open()
  await work()
  const send = (to: string, fail: boolean) =>
    database.db.transaction().execute(async (transaction) => {
      await mailer.send({ ...reset, to }, { transaction })
      if (fail) throw new Error('rolled back')
    })
  await expect(send('never@people.example', true)).rejects.toThrow('rolled back')
  await send('ann@people.example', false)
  await post.mailTo('ann@people.example')
  expect(await post.mails('never@people.example')).toEqual([])
})

test.each([
  'ann@people.example\r\nBcc: eve@people.example',
  'ann@people.example, eve@people.example',
  'Ann <ann@people.example>',
  '"ann@people.example" eve@people.example',
])('%j is not a valid recipient', async (to) => {
  const { mailer } = await open()
  await expect(mailer.send({ ...reset, to })).rejects.toThrow('not an email address')
  expect(await jobs()).toEqual([])
})

test('an email that is not admitted is queued like any other, and never sent', async () => {
  const { mailer, work } = await open()
  await mailer.send({ ...reset, to: 'eve@people.example' }, { admitted: false })
  await mailer.send(reset)
  expect(await jobs()).toHaveLength(2)
  await work()
  await post.mailTo('ann@people.example')
  await until(jobs, (all) => all.every(({ state }) => state === 'completed'))
  expect(await post.mails('eve@people.example')).toEqual([])
})

test.each(['win.a-prize.example.com', ...inFull(['Ranklark-Security', 'rank.example'])])(
  'emails to strangers leave out the name %s; emails to the account keep it',
  async (username) => {
    const { mailer, work } = await open()
    await work()
    const link = `${baseUrl}/a-link`
    const others = [
      { username, link },
      { username: 'bob', link },
    ]
    const to = (n: number) => `reader${n}@people.example`
    await mailer.send({ kind: 'confirm-address', to: to(1), username, link })
    await mailer.send({ kind: 'confirm-delivery-address', to: to(2), username, link })
    await mailer.send({ kind: 'confirm-report-recipient', to: to(3), username, link, never: link })
    await mailer.send({ kind: 'reset-password', to: to(4), username, link, others, isConfirmed: false })
    await mailer.send({ kind: 'reset-password', to: to(5), username, link, others: [], isConfirmed: true })
    const shown: boolean[] = []
    for (let n = 1; n <= 5; n++) {
      const { text, html } = await post.mailTo(to(n))
      shown.push(/account (<strong>)?(win|Ranklark-|rank\.)/.test(`${text} ${html}`) || text.includes(`${username}:`))
    }
    expect(shown).toEqual([false, false, false, false, true])
    expect((await post.mailTo(to(4))).text).toContain('bob: choose a new password')
  },
)

test("an account's address that isn't confirmed gets nothing about the account, whoever sends it", async () => {
  const { plain, work } = await open()
  await work()
  const planEnded = { kind: 'plan-ended' as const, username: 'ann', plan: 'pro' as const, pausedSites: ['A message to a stranger'] }
  const sendTo = (email: string, emailVerified: boolean) => plain.send(planEnded, { account: { email, emailVerified } })
  await sendTo('stranger@people.example', false)
  await sendTo('ann@people.example', true)
  expect(await post.mailTo('ann@people.example')).toMatchObject({ kind: 'plan-ended' })
  expect(await post.mails('stranger@people.example')).toEqual([])
  // @ts-expect-error: which address it goes to isn't its sender's to say
  const wrong = () => plain.send({ ...planEnded, to: 'stranger@people.example' })
  // @ts-expect-error: nor may they leave out whose account it is
  const missing = () => plain.send(planEnded)
  expect([wrong, missing]).toHaveLength(2)
})

test("names can't add headers", async () => {
  const { mailer, work } = await open()
  await work()
  const name = 'x\r\nBcc: eve@people.example'
  await mailer.send({ kind: 'address-taken', to: 'ann@people.example', username: name })
  const mail = await post.mailTo('ann@people.example')
  expect(mail.header('bcc')).toBeUndefined()
  expect(await post.mails('eve@people.example')).toEqual([])
})

test('without a mail server this is logged once at startup, and each unsent email by its kind', async () => {
  const { mailer, work, lines } = await open({ smtpUrl: null })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('mail is not configured')
  await work()
  await mailer.send(reset)
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain('"kind":"reset-password"')
  expect(lines[1]).toContain('"level":"warn"')
  expect(lines.join('')).not.toContain('t0ken')
  expect(await jobs()).toEqual([])
})

test('logs in to the mail server with a password if there is one', async () => {
  const { mailer, work } = await open({ smtpUrl: smtp.smtpUrl.replace('smtp://', 'smtp://me:p%40ss@') })
  await work()
  await mailer.send(reset)
  expect(await post.mailTo('ann@people.example')).toMatchObject({ kind: 'reset-password' })
  expect(await post.logins()).toEqual(['me:p@ss'])
})

test('an email leaves the machine encrypted, or not at all, unless allowed explicitly', async () => {
  // An address that isn't this machine's by name, on a server without STARTTLS, as if somebody on the way had removed the offer.
  const smtpUrl = smtp.smtpUrl.replace(/localhost|127\.0\.0\.1/, '0.0.0.0')
  const composed = { subject: 'Reset your password', html: `<a href="${baseUrl}/t0ken">`, text: `${baseUrl}/t0ken` }
  const email = { key: 'k', to: 'ann@people.example', composed, date: new Date(), kind: null, signal: AbortSignal.timeout(20_000) }
  expect(await sendMail({ smtpUrl, from }, email)).toMatchObject({ outcome: 'later', reason: expect.stringContaining('TLS') })
  expect(await post.mails()).toEqual([])
  expect(await sendMail({ smtpUrl, from, mayBeRead: true }, email)).toMatchObject({ outcome: 'sent' })
  // An address that only begins like this machine's isn't this machine.
  expect(['127.0.0.1.evil.example', '127.evil.example', '0.0.0.0', 'localhost.evil.example'].filter(isLoopback)).toEqual([])
})

describe('whoever causes emails takes turns', () => {
  const ask = (to: string): Email => ({ kind: 'confirm-report-recipient', to, username: 'ann', link: baseUrl, never: baseUrl })
  const inTurn = async () => {
    const { rows } = await database.pool.query<{ place: number }>(
      `SELECT rank() OVER (ORDER BY priority DESC)::int AS place FROM jobs.job WHERE name = 'mail' ORDER BY created_on`,
    )
    return rows.map(({ place }) => place)
  }

  test('so that a hundred recipients of one person, or of one network, have one turn at a time', async () => {
    const { mailer } = await open()
    const person = (id: string, origin: string) => ({ ...newTenancy(undefined, origin), tenant: id, requester: id })
    for (const n of [1, 2, 3]) await runAs(person('ann', '192.0.2.1'), () => mailer.send(ask(`reader${n}@people.example`)))
    await runAs(person('bob', '192.0.2.1'), () => mailer.send(ask('reader4@people.example')))
    // Two networks of one IPv6 customer.
    for (const n of [1, 2]) await runAs(newTenancy(undefined, `2001:db8:1:${n}::/64`), () => mailer.send(ask(`reader6${n}@people.example`)))
    expect(await inTurn()).toEqual([1, 4, 6, 1, 1, 4])
  })

  test('and one that somebody waits for has a queue of its own', async () => {
    const { mailer, work } = await open()
    for (let n = 0; n < 50; n += 1) await mailer.send(ask(`reader${n}@people.example`))
    await mailer.send(reset)
    await work()
    await post.mailTo('ann@people.example')
    expect((await post.mails()).length).toBeLessThan(50)
  })
})
