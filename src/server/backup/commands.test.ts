import { createReadStream, existsSync, readdirSync } from 'node:fs'
import { mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { constants, createZstdCompress, zstdCompressSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { silentLog } from '../../../test/support/platform.ts'
import { runBackup } from '../commands/backup.ts'
import { parseConfig } from '../config.ts'
import { runRestore } from '../commands/restore.ts'
import { openStores } from '../stores/stores.ts'
import { writeBackup } from './backup-file.ts'
import { mustBeWhole } from './facts-files.ts'
import { makeBackup } from './make-backup.ts'
import { keyName, type Manifest, markOf } from './manifest.ts'
import {
  ask,
  type Command,
  type Environment,
  holdings,
  type Installation,
  installationTest,
  manifestOf,
  nameIn,
  nowhere,
  saying,
  thingsIn,
} from '../../../test/support/installation.ts'

// Killed restores and full disks: commands.full.test.ts.

const perTable = 200
const test = installationTest(perTable)

const givenKey = 'a secret key that somebody gave, long enough'
/** As if made with that key. */
const withoutKey = (manifest: Manifest): Manifest => ({
  ...manifest,
  key: { included: false, mark: markOf(givenKey) },
  others: manifest.others.filter(({ file }) => file !== keyName),
})

/** The message of a command that is refused before any store is opened. */
async function refusal({ here }: Installation, work: Command, args: readonly string[], more: Environment): Promise<string> {
  const { code, err } = await here(work, args, more)
  expect(code).toBe(1)
  return err
}

test('a command in its own process says what it backed up', { tags: ['full'] }, async ({ installed: { made } }) => {
  expect(made).toMatchObject({ code: 0, err: '', out: expect.stringContaining(': 1 account, 1 property, 600 rows of data.') })
})

describe('external stores', () => {
  test(
    "with DATABASE_URL that database is backed up, and restored into an empty one; a SECRET_KEY isn't included",
    { tags: ['full'] },
    async ({ installed }) => {
      const { at, backup, here, newDatabase } = installed
      const there = { DATA_DIR: at('moved'), DATABASE_URL: await newDatabase(), SECRET_KEY: givenKey }
      expect(await here(runRestore, [await saying(backup, at('without-key.backup'), withoutKey), '--keep-access'], there)).toMatchObject({
        code: 0,
        err: '',
      })
      expect(existsSync(at('moved', keyName))).toBe(false)
      const again = await here(runBackup, ['--to', 'again.backup'], there)
      expect(again).toMatchObject({ code: 0, err: '' })
      expect(again.out).toContain("It doesn't contain the SECRET_KEY, which you need to restore it.")
      expect(await holdings(at('again.backup'))).toEqual(await holdings(backup))
      const { key, others } = await manifestOf(at('again.backup'))
      expect(key).toEqual({ included: false, mark: markOf(givenKey) })
      expect(others.map(({ file }) => file)).not.toContain(keyName)
    },
  )

  test(
    "a session, key, link or destination revoked after the backup doesn't return with it, and what waited to be sent isn't sent",
    { tags: ['full'] },
    async ({ installed }) => {
      const { at, backup, here, newDatabase } = installed
      // Anything that gave access at the time of the backup may have been stolen and revoked since: nobody knows.
      const there = { DATA_DIR: at('ended'), DATABASE_URL: await newDatabase() }
      const restored = await here(runRestore, [backup], there)
      expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('Everyone has to log in again') })
      const counts = [
        'sessions',
        'verifications',
        'google_sign_ins',
        'api_keys WHERE expires_at <= now()',
        'api_keys',
        'report_shares WHERE expires_at <= now()',
        'delivery_channels WHERE destination IS NULL AND problem IS NOT NULL',
        'delivery_channels',
        'report_schedules WHERE enabled',
        'report_schedules',
        'report_brands WHERE reply_to IS NOT NULL',
        'report_brands',
        'report_recipients WHERE confirmed_at IS NOT NULL',
        'report_recipients WHERE links_count_from IS NOT NULL',
        'report_recipients WHERE unsubscribed_at IS NOT NULL',
        "report_mails WHERE state = 'waiting'",
        "report_mails WHERE state = 'failed'",
        "notifications WHERE state = 'waiting'",
        "notifications WHERE state = 'failed'",
        "jobs.job WHERE name LIKE 'mail%'",
      ]
      const left = counts.map((which) => `SELECT count(*) || ' ' || $$${which}$$ AS row FROM ${which}`).join(' UNION ALL ')
      const expected = [0, 0, 0, 1, 1, 1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 0]
      expect(await ask(there.DATABASE_URL, left)).toEqual(expected.map((count, index) => `${count} ${counts[index]}`))
    },
  )

  test('a non-empty database is refused, and left unchanged', async ({ installed }) => {
    const { at, backup, here, newDatabase } = installed
    const DATABASE_URL = await newDatabase()
    await ask(DATABASE_URL, `CREATE TABLE shop (item text); INSERT INTO shop VALUES ('lamp'); CREATE SEQUENCE bills`).catch(() => [])
    const before = await thingsIn(DATABASE_URL)
    expect(before).toHaveLength(2)
    expect(await here(runRestore, [backup], { DATA_DIR: at('theirs'), DATABASE_URL })).toEqual({
      code: 1,
      out: '',
      err: 'The database at DATABASE_URL is not empty: create a new one and restore into it\n',
    })
    expect(await thingsIn(DATABASE_URL)).toEqual(before)
    expect(existsSync(at('theirs'))).toBe(false)
  })

  test('a failed restore leaves the database as empty as before, and no directory', { tags: ['full'] }, async ({ installed }) => {
    const { at, backup, here, newDatabase } = installed
    const DATABASE_URL = await newDatabase()
    const file = await saying(backup, at('of-other-rows.backup'), (manifest) => ({
      ...manifest,
      facts: manifest.facts.map((each) => (each.table === 'facts_page' ? { ...each, rows: each.rows + 1 } : each)),
    }))
    expect(await here(runRestore, [file], { DATA_DIR: at('failed'), DATABASE_URL })).toEqual({
      code: 1,
      out: '',
      err: `${perTable} of ${perTable + 1} rows of facts_page were restored\n`,
    })
    expect(await thingsIn(DATABASE_URL)).toEqual([])
    expect(existsSync(at('failed'))).toBe(false)
  })

  test('with CLICKHOUSE_URL both refuse, before anything is requested or created, and say where the instructions are', async ({
    installed,
  }) => {
    const { at, backup, lived } = installed
    const there = { ...nowhere, CLICKHOUSE_URL: 'http://127.0.0.1:9', DATA_DIR: at('elsewhere') }
    for (const [work, args, verb] of [
      [runBackup, ['--to', 'elsewhere-backups/'], 'back up'],
      [runRestore, [backup], 'restore'],
    ] as const)
      expect(await refusal(installed, work, args, there)).toBe(
        `With CLICKHOUSE_URL, ${verb} both databases with their own tools: see "Backup and restore" in docs/deploy.md\n`,
      )
    // A server whose facts are elsewhere doesn't make one either.
    const config = parseConfig(lived)
    const { pool, clickhouse, close } = await openStores(config, silentLog, () => {})
    const elsewhere = { ...config, clickhouse: { ...config.clickhouse, url: 'http://127.0.0.1:9' } }
    const making = makeBackup({ pool, clickhouse, config: elsewhere, clock: { now: () => new Date() }, log: silentLog })
    await expect(making).rejects.toThrow('With CLICKHOUSE_URL, back up both databases with their own tools')
    await close()
    expect(existsSync(at('elsewhere'))).toBe(false)
    expect(existsSync(at('elsewhere-backups'))).toBe(false)
  })
})

describe('a backup from a newer version', () => {
  const newer = /^\S+ was made by a newer version of Ranklark \(99\.0\.0\): install that version or a later one, and restore with it\n$/

  test.for<[string, (manifest: Manifest) => object]>([
    ['has a future format', () => ({ format: 2, version: '99.0.0', tables: 'elsewhere' })],
    ['has a later migration', (manifest) => ({ ...manifest, version: '99.0.0', migrations: [...manifest.migrations, '9999-later'] })],
    ['has later job tables', (manifest) => ({ ...manifest, version: '99.0.0', jobs: manifest.jobs + 1 })],
    [
      'has unknown figures',
      (manifest) => ({ ...manifest, version: '99.0.0', facts: manifest.facts.map((each) => ({ ...each, table: 'facts_city' })) }),
    ],
  ])('that %s is refused before anything is opened, saying what to do', async ([what, change], { installed }) => {
    const { at, backup } = installed
    const file = await saying(backup, at(`${what.replaceAll(' ', '-')}.backup`), change)
    expect(await refusal(installed, runRestore, [file], { ...nowhere, DATA_DIR: at('of-newer') })).toMatch(newer)
    expect(existsSync(at('of-newer'))).toBe(false)
  })

  test('whose figures have more columns is refused, and nothing of it remains', async ({ installed }) => {
    const { at, backup, here, newDatabase } = installed
    const DATABASE_URL = await newDatabase()
    const file = await saying(backup, at('columns.backup'), (manifest) => ({
      ...manifest,
      version: '99.0.0',
      facts: manifest.facts.map((each) => ({ ...each, columns: [...each.columns, 'conversions'] })),
    }))
    const outcome = await here(runRestore, [file], { DATA_DIR: at('columns'), DATABASE_URL })
    expect(outcome.code).toBe(1)
    expect(outcome.err).toMatch(/ was made by a newer version of Ranklark \(99\.0\.0\): install that version or a later one, /)
    expect(await thingsIn(DATABASE_URL)).toEqual([])
    expect(existsSync(at('columns'))).toBe(false)
  })
})

describe('the secret key', () => {
  test("a SECRET_KEY other than the backup's is refused before anything is opened", async ({ installed }) => {
    const { at, backup } = installed
    const there = { ...nowhere, DATA_DIR: at('of-key') }
    expect(await refusal(installed, runRestore, [backup], { ...there, SECRET_KEY: givenKey })).toBe(
      'SECRET_KEY differs from the key in the backup: unset it to use the key from the backup\n',
    )
    const file = await saying(backup, at('without-key.backup'), withoutKey)
    const needed = 'The SECRET_KEY this backup was made with is not in it: set SECRET_KEY to that key, or encrypted values cannot be read\n'
    for (const given of ['', 'another key, which is just as long as a key has to be'])
      expect(await refusal(installed, runRestore, [file], { ...there, SECRET_KEY: given })).toBe(needed)
    expect(existsSync(at('of-key'))).toBe(false)
  })
})

describe('--keep', { tags: ['full'] }, () => {
  /** Files that exist beforehand; the four oldest of ours are removed. */
  const ours = (day: string): string => `ranklark-2020-01-${day}.backup`
  const foreign = [
    'notes.txt',
    'ranklark-2020-01-01T0215.backup.gz',
    'my-ranklark-2020-01-01T0215.backup',
    'ranklark-2020-01-01.backup',
    'ranklark-before-upgrade.backup',
  ]

  test('the newest stay, older ones are removed; nothing else is touched', async ({ installed }) => {
    const { at, here, lived } = installed
    const directory = at('kept')
    await mkdir(directory)
    const old = [ours('01T0215'), ours('02T0215'), ours('02T0215-2'), ours('02T0215-10')]
    const clockWasAhead = 'ranklark-2999-01-01T0000.backup'
    for (const name of [...foreign, ...old, clockWasAhead]) await writeFile(path.join(directory, name), name)
    await mkdir(path.join(directory, ours('03T0215')))
    await symlink(path.join(directory, 'notes.txt'), path.join(directory, ours('04T0215')))
    const [ofAnother, longAgo] = ['.ranklark-another-1-0123abcd.part', '.ranklark-another-1-0123abce.part']
    for (const name of [ofAnother, longAgo]) await writeFile(path.join(directory, name), '')
    await utimes(path.join(directory, longAgo), 0, 0)

    const { code, out, err } = await here(runBackup, ['--to', 'kept/', '--keep', '3'], lived)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('Removed 3 older backups.')
    const fresh = path.basename(nameIn(out))
    // The new one stays even if the clock was once ahead.
    const kept = [fresh, clockWasAhead, ours('02T0215-10'), ours('03T0215'), ours('04T0215'), ofAnother, ...foreign]
    expect((await readdir(directory)).toSorted()).toEqual(kept.toSorted())
    expect(await readFile(path.join(directory, 'notes.txt'), 'utf8')).toBe('notes.txt')
  })

  test('two backups completed in the same minute get different names', async ({ installed }) => {
    const { at, backup } = installed
    const to = { directory: at('same-minute'), name: null }
    const files = await Promise.all([1, 2, 3].map(async () => (await writeBackup(createReadStream(backup), to)).file))
    expect(new Set(files).size).toBe(3)
    expect(readdirSync(to.directory).toSorted()).toEqual(files.map((file) => path.basename(file)).toSorted())
    const taken = { directory: to.directory, name: path.basename(files[0] ?? '') }
    await expect(writeBackup(createReadStream(backup), taken)).rejects.toThrow('already exists')
    expect(readdirSync(to.directory)).toHaveLength(3)
  })

  test('where no server has run, nothing is backed up, created or removed', async ({ installed }) => {
    const { at, home, newDatabase } = installed
    const directory = at('nightly')
    await mkdir(directory)
    await writeFile(path.join(directory, ours('01T0215')), '')
    for (const database of [{ DATABASE_URL: '' }, nowhere])
      expect(await refusal(installed, runBackup, ['--to', 'nightly/', '--keep', '1'], { DATA_DIR: at('mistyped'), ...database })).toMatch(
        /^Nothing to back up in \S+mistyped: no server has run there with these settings\. Use the server's DATA_DIR/,
      )
    // Its database is another one.
    const empty = await newDatabase()
    for (const DATABASE_URL of ['', empty])
      expect(await refusal(installed, runBackup, ['--to', 'nightly/', '--keep', '1'], { DATA_DIR: home, DATABASE_URL })).toContain(
        'Nothing to back up',
      )
    expect(await thingsIn(empty)).toEqual([])
    expect(readdirSync(directory)).toEqual([ours('01T0215')])
    expect(existsSync(at('mistyped'))).toBe(false)
    expect(existsSync(path.join(home, 'postgres'))).toBe(false)
  })
})

test("a part that ends between two blocks of rows, which ClickHouse would accept as complete, isn't complete", async ({ installed }) => {
  const { at } = installed
  const [whole, half] = [zstdCompressSync('rows'.repeat(1000)), createZstdCompress()]
  half.write('rows'.repeat(1000))
  await new Promise<void>((resolve) => half.flush(constants.ZSTD_e_flush, () => resolve()))
  await writeFile(at('whole.zst'), whole)
  await writeFile(at('half.zst'), half.read() as Buffer)
  await expect(mustBeWhole(at('whole.zst'))).resolves.toBeUndefined()
  await expect(mustBeWhole(at('half.zst'))).rejects.toThrow('unexpected end of file')
})
