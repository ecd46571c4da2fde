import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { cp, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, onTestFinished, test as vitest } from 'vitest'
import { z } from 'zod'
import { sites, startTestApp } from '../../../test/support/app.ts'
import { expectStoredAsAtGoogle } from '../../../test/support/grain-sums.ts'
import { samplesOf } from '../../../test/support/made-requests.ts'
import { statusOf } from '../../../test/support/people.ts'
import { type Route, withRouteTable } from '../../../test/support/route-table.ts'
import { putAlerts } from '../../../test/support/stored-alerts.ts'
import { unzip } from '../../../test/support/unzip.ts'
import { until } from '../../../test/support/until.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { apiKeyMade } from '../../contract/api-keys.ts'
import { operations } from '../api/operations.ts'
import { runBackup } from '../commands/backup.ts'
import { parseConfig } from '../config.ts'
import { createLog } from '../platform/log.ts'
import { openStores } from '../stores/stores.ts'
import { openBackup } from './read-backup.ts'
import { restoreBackup } from './restore.ts'
import { commandFile, commandsIn, nameIn, type Outcome } from '../../../test/support/installation.ts'

const scratch = await mkdtemp(path.join(tmpdir(), 'ranklark-backup-'))
const { started: app, routes } = await withRouteTable(() => startTestApp({ today: '2026-03-18', ownPostgres: true }))
const commands = commandsIn(scratch)
const settings = () => ({ DATA_DIR: app.dataDir })
/** A command in its own process, as npm runs it. */
const run = (name: 'backup' | 'restore', ...args: string[]): Promise<Outcome> => commands.run(name, args, settings())
/** The backup command within this process, as long as a server makes the backup. */
const backUp = (...args: string[]): Promise<Outcome> => commands.here(runBackup, args, settings())
/** A restore that is refused before any store is opened. */
const refusal = (file: string, dataDir: string): Promise<string> =>
  restoreBackup(file, {
    dataDir,
    databaseUrl: undefined,
    secretKey: undefined,
    memoryBytes: 1024 ** 3,
    keepAccess: true,
    log: createLog('silent'),
  }).then(
    () => 'restored',
    (error: Error) => error.message,
  )
const restored = (name: string): string => path.join(scratch, name)
const backupsIn = async (directory: string): Promise<string[]> => (await readdir(directory)).filter((name) => !name.startsWith('.'))

/** Stops the server, and starts it on another directory. */
const moveTo = (directory: string): Promise<void> =>
  app.restart(async () => {
    await rm(app.dataDir, { recursive: true, force: true })
    await rename(directory, app.dataDir)
  })

/** Google no longer answers, no job is running, and the job that runs every minute has evaluated everything that arrived. */
async function standStill(demo: Visitor): Promise<void> {
  onTestFinished(async () => void (await app.google.stopFailing()))
  await app.google.fail({ error: 'unavailable503', times: 1_000_000, kind: 'query' })
  const { sql } = await app.stores()
  // Windows aren't prepared here, so their jobs wait for good.
  const atWork = `SELECT name FROM jobs.job WHERE name <> 'prepare-reports'
    AND (state = 'active' OR (state IN ('created', 'retry') AND start_after < now() + interval '3 seconds'))`
  let quiet = 0
  await until(
    async () => (quiet = (await sql(atWork)).length === 0 ? quiet + 1 : 0),
    (times) => times > 12,
    60_000,
  )
  expect((await demo.send('POST', '/api/alerts/evaluate')).status).toBe(200)
}

/** `GET`s whose answers aren't stored data, and why. */
const notStored: Record<string, string> = {
  '/api/auth/google': 'leads to Google, with a new secret each time',
  '/api/auth/google/callback': 'the way back from there',
  '/api/internal/hand-over': 'for the command line',
  '/api/unsubscribe': 'asks for a link of a mail',
  '/api/alert-verdict': 'asks for a link of a mail',
  '/api/report-unsubscribe': 'asks for a link of a mail',
  '/api/report-recipient': 'asks for a link of a mail',
}

/** `GET`s that list the very requests made here: asked last before the backup and first after it, they agree. */
const listQuestions = ['/api/audit-log', '/api/keys', '/api/report-shares']
/** Files of an export that list these requests. */
const saidInExport = /audit|activity|api-keys|reports|README/

/** Below `/api/v1`, Fastify only knows paths; the operations state what each takes. */
const ofKeys: Route[] = operations.map(({ method, path: place, query }) => ({
  method,
  url: `/api/v1${place.replaceAll(/\{(\w+)\}/g, ':$1')}`,
  ...(query && { query: z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' }) }),
}))

type Known = { ids: Record<string, string>; key: string }

/** The response of every `GET` of the application: for one property, and daily figures for all three. */
async function answers(demo: Visitor, known: Known, when: 'before' | 'after'): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const ours = routes.filter(({ url }) => url.startsWith('/api/') && !/^\/api\/v1\/(?!openapi)/.test(url) && !(url in notStored))
  const asked = [...ours, ...ofKeys].filter(({ method }) => method === 'GET')
  const late = (route: Route): number => (listQuestions.includes(route.url) ? 1 : 0)
  const inOrder = asked.toSorted((a, b) => (when === 'before' ? late(a) - late(b) : late(b) - late(a)))
  for (const route of inOrder) for (const target of targetsOf(known, route)) found.set(target, await answerOf(demo, known, target))
  return found
}

function targetsOf({ ids }: Known, { url, query }: Route): string[] {
  const place = url.replaceAll(/:\w+/g, () => ids[url] ?? 'nobody-said')
  if (!query) return [place]
  const asked = /metrics|analytics|hours/.test(url) ? Object.values(sites) : [sites.shop]
  return asked.flatMap((property) =>
    samplesOf(query, { property, client: ids['client'] ?? '', alert: ids['/api/alerts/:id'] ?? '' }).map(
      ({ value }) => `${place}?${new URLSearchParams(value as Record<string, string>)}`,
    ),
  )
}

async function answerOf(demo: Visitor, { key }: Known, target: string): Promise<string> {
  const cookie = [...demo.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const answer = await fetch(new URL(target, app.url), {
    redirect: 'manual',
    headers: target.startsWith('/api/v1/') ? { authorization: `Bearer ${key}` } : { cookie },
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (target === '/api/user/export') return `${answer.status} ${await exported(bytes)}`
  // A cursor names the cached period that it continues in, which isn't part of a backup.
  const text = /zip|pdf/.test(answer.headers.get('content-type') ?? '')
    ? createHash('sha256').update(bytes).digest('hex')
    : bytes
        .toString('utf8')
        .replaceAll(app.url, 'http://here')
        .replaceAll(/"next":"[^"]+"/g, '"next":"there is more"')
  return `${answer.status} ${text}`
}

async function exported(bytes: Buffer): Promise<string> {
  const files = [...(await unzip(bytes))].filter(([name]) => !saidInExport.test(name))
  expect(files.length).toBeGreaterThan(20)
  return JSON.stringify(files)
}

/** The demo with at least one of everything that is requested, and a backup of it made while days came in. */
const test = vitest
  .extend('demo', { scope: 'file' }, async ({}) => {
    const demo = await app.demo()
    const progress = () => Promise.all(Object.values(sites).map((site) => statusOf(demo, site)))
    const daysLeft = async (): Promise<number> => (await progress()).reduce((sum, status) => sum + status.daysLeft, 0)
    await until(progress, (all) => all.every(({ daysLeft: left, daysTotal }) => daysTotal - left >= 14), 100_000)
    return { ...demo, daysLeft }
  })
  .extend('known', { scope: 'file' }, async ({ demo }) => {
    /** Values for the id parameters of paths. */
    const ids: Record<string, string> = {}
    const make = async (target: string, body: unknown): Promise<unknown> => {
      const answer = await demo.send('POST', target, body)
      if (answer.status >= 300) throw new Error(`POST ${target}: ${JSON.stringify(answer.body)}`)
      return answer.body
    }
    const { sql } = await app.stores()
    await sql(`UPDATE people SET plan = 'agency'`)
    const { key } = apiKeyMade.parse(await make('/api/keys', { name: 'program', scope: 'read', days: 1 }))
    const withId = z.object({ id: z.coerce.string() })
    const subject = { property: sites.shop }
    ids['client'] = withId.parse(await make('/api/report-clients', { name: 'Ann', properties: [sites.shop] })).id
    await make('/api/annotations', { date: '2026-03-10', text: 'Moved house\t\\ \n', property: sites.shop })
    await make('/api/report-schedules', { subject, kind: 'week', paper: 'a4', recipients: ['a@b.example'], enabled: false })
    const { url } = z.object({ url: z.string() }).parse(await make('/api/report-shares', { subject, kind: 'week', days: 7 }))
    const token = url.split('/').at(-1) ?? ''
    for (const place of ['/api/shared/:token', '/api/shared/:token/report.pdf']) ids[place] = token
    const [runId] = await sql<{ id: string }>(
      `INSERT INTO report_runs (user_id, property_id, scheduled, title, kind, paper, period_start, period_end, state, total, recipients, pdf, created_at)
     SELECT user_id, id, false, name, 'week', 'a4', '2026-03-09', '2026-03-15', 'done', 1, '{}', '\\x2550444600ff5c'::bytea, now() FROM properties WHERE name = $1 RETURNING id`,
      [sites.shop],
    )
    for (const place of ['/api/report-runs/:id', '/api/report-runs/:id/report.pdf']) ids[place] = String(runId!.id)
    const [message] = await sql<{ id: string }>(
      `INSERT INTO notifications (user_id, channel, kind, message, next_attempt_at, give_up_at, created_at, state, sent_at)
     SELECT id, 'webhook', 'test', '{"kind":"test","property":null}', now(), now(), now(), 'sent', now() FROM users RETURNING id`,
    )
    ids['/api/webhook-deliveries/:id'] = String(message!.id)
    const [alert] = await putAlerts(app, sites.shop, [{ openedAt: '2026-03-16T09:00:00Z', entity: { kind: 'query', name: 'lamps' } }])
    for (const place of ['/api/alerts/:id', '/api/v1/alerts/:id']) ids[place] = String(alert)
    const [rule] = z.array(withId).parse((await demo.get('/api/alert-conditions')).body)
    for (const place of ['/api/v1/conditions/:id', '/api/alert-conditions/:id/proposal']) ids[place] = rule?.id ?? ''
    return { ids, key }
  })
  .extend('busy', { scope: 'file' }, async ({ demo: { daysLeft }, known: _known }) => {
    const outcome = await run('backup', '--to', 'backups/busy.backup')
    const before = await daysLeft()
    const after = await until(daysLeft, (days) => days < before, 60_000)
    return { ...outcome, before, after }
  })

afterAll(async () => {
  await app.close()
  await rm(scratch, { recursive: true, force: true })
})

test('a backup is made while days arrive, and they keep arriving', { timeout: 300_000 }, async ({ busy }) => {
  expect(busy).toMatchObject({ code: 0, err: '', out: expect.stringContaining('1 account, 3 properties') })
  expect(statSync(nameIn(busy.out)).mode & 0o777).toBe(0o600)
  expect(busy.before).toBeGreaterThan(0)
  expect(busy.after).toBeLessThan(busy.before)
})

test(
  'restored with access kept, every report answers as before, and sessions and keys work',
  { timeout: 400_000 },
  async ({ demo, known, busy: _busy }) => {
    await standStill(demo)
    const atBackup = await answers(demo, known, 'before')
    const refused = [...atBackup]
      .filter(([, answer]) => !answer.startsWith('200'))
      .map(([target, answer]) => `${target}: ${answer.slice(0, 100)}`)
    expect(refused).toEqual([])
    expect(atBackup.size).toBeGreaterThan(80)

    const { code, out, err } = await backUp('--to', 'backups/', '--keep', '1')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(path.basename(nameIn(out))).toMatch(/^ranklark-\d{4}-\d\d-\d\dT\d{4}\.backup$/)
    const from = nameIn(out)

    const into = restored('whole')
    expect(await run('restore', from, '--data-dir', into, '--keep-access')).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('Restored into'),
    })
    expect(statSync(path.join(into, 'secret.key')).mode & 0o777).toBe(0o600)
    expect(await refusal(from, into)).toMatch(/^\S+ is not empty: /)

    await moveTo(into)
    expect(Object.fromEntries(await answers(demo, known, 'after'))).toEqual(Object.fromEntries(atBackup))
    expect((await app.visitor().send('POST', '/api/auth/login', { username: 'demo', password: 'demo-password' })).status).toBe(200)
    expect(app.logLines.filter((line) => line.includes('sealed'))).toEqual([])
  },
)

test(
  'days being fetched at the time of the backup are fetched again, and none is duplicated',
  { timeout: 300_000 },
  async ({ demo, busy }) => {
    const into = restored('busy')
    expect(await run('restore', nameIn(busy.out), '--data-dir', into, '--keep-access')).toMatchObject({ code: 0, err: '' })
    await moveTo(into)
    const { sql } = await app.stores()
    const { daysLeft } = demo
    const before = await daysLeft()
    await until(daysLeft, (days) => days < before, 90_000)
    await standStill(demo)
    for (const site of Object.values(sites)) {
      const [covered] = await sql<{ start: string; end: string }>(
        `SELECT backfilled_from::text AS start, final_through::text AS end FROM search_type_syncs JOIN properties ON id = property_id
       WHERE name = $1 AND search_type = 'web' AND backfilled_from IS NOT NULL`,
        [site],
      )
      if (covered) await expectStoredAsAtGoogle(app, site, { ...covered, dataState: 'final' })
    }
  },
)

test('a damaged backup is refused before anything is written', { timeout: 180_000 }, async ({ busy }) => {
  const damaged = path.join(scratch, 'damaged.backup')
  const whole = nameIn(busy.out)
  const { size } = await stat(whole)
  for (const at of [Math.floor(size / 3), size - 40]) {
    await cp(whole, damaged)
    const handle = await open(damaged, 'r+')
    await handle.write(Buffer.from([1, 2, 3, 4, 5, 6, 7]), 0, 7, at)
    await handle.close()
    const into = restored('of-damaged')
    expect(await refusal(damaged, into)).toContain('is damaged or incomplete')
    expect(existsSync(into)).toBe(false)
  }
  const handle = await open(damaged, 'r+')
  await handle.truncate(Math.floor(size / 2))
  await handle.close()
  expect(await refusal(damaged, restored('of-damaged'))).toContain('is damaged or incomplete')
})

test("a killed restore isn't taken for complete, and can be repeated", { timeout: 300_000 }, async ({ busy }) => {
  const into = restored('killed')
  const from = nameIn(busy.out)
  const child = spawn(process.execPath, [commandFile('restore'), from, '--data-dir', into], {
    env: commands.environment(settings()),
    stdio: 'ignore',
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  await until(async () => existsSync(path.join(into, 'postgres', 'cluster')), Boolean, 60_000)
  child.kill('SIGKILL')
  await ended
  const start = openStores(parseConfig({ DATA_DIR: into }), createLog('silent'), () => {})
  await expect(start).rejects.toThrow(/^A restore into \S+ is in progress or was interrupted: /)
  expect(await run('restore', from, '--data-dir', into, '--keep-access')).toMatchObject({ code: 0, err: '' })
  expect(existsSync(path.join(into, 'restore-unfinished'))).toBe(false)
})

test(
  "a killed backup leaves no file that looks like one, and doesn't get in the way of another",
  { timeout: 180_000 },
  async ({ known: _known }) => {
    const directory = path.join(scratch, 'broken off')
    const child = spawn(process.execPath, [commandFile('backup'), '--to', `${directory}/`], {
      env: commands.environment(settings()),
      stdio: 'ignore',
    })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    await until(async () => existsSync(directory) && (await readdir(directory)).length > 0, Boolean)
    child.kill('SIGKILL')
    await ended
    for (const name of await backupsIn(directory)) {
      const backup = await openBackup(path.join(directory, name))
      await backup.verify()
      backup.close()
    }
    const before = (await backupsIn(directory)).length
    // The server notices by its connection.
    const outcome = await until(
      () => backUp('--to', `${directory}/`),
      ({ code }) => code === 0,
    )
    expect(outcome.err).toBe('')
    expect(await readdir(directory)).toHaveLength(before + 1)
    expect(existsSync(path.join(app.dataDir, 'backup-drafts'))).toBe(false)
  },
)
