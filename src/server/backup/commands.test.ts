import { execFile, execFileSync, spawn } from 'node:child_process'
import { createReadStream, createWriteStream, existsSync, readdirSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { constants, createZstdCompress, zstdCompressSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { silentLog } from '../../../test/support/platform.ts'
import { until } from '../../../test/support/until.ts'
import { runBackup } from '../backup-command.ts'
import { parseConfig } from '../config.ts'
import { openPostgres, type Postgres } from '../platform/postgres.ts'
import { openQueue } from '../platform/queue.ts'
import { type ArchiveFile, zipStream } from '../platform/zip-stream.ts'
import { runRestore } from '../restore-command.ts'
import { openStores } from '../stores.ts'
import { writeBackup } from './backup-file.ts'
import { mustBeWhole } from './facts-files.ts'
import { makeBackup } from './make-backup.ts'
import { keyName, type Manifest, manifestName, markOf } from './manifest.ts'
import { openBackup } from './read-backup.ts'

type Outcome = { code: number; out: string; err: string }
type Environment = Record<string, string>

const scratch = await mkdtemp(path.join(tmpdir(), 'ranklark-commands-'))
const at = (...names: string[]): string => path.join(scratch, ...names)
/** The directory of an installation whose database is one of its own, elsewhere. */
const home = at('home')
const perTable = 20_000
let postgres: Postgres
let backup: string

const command = (name: string): string => fileURLToPath(new URL(`../${name}-command.ts`, import.meta.url))
const environment = (more: Environment): Record<string, string | undefined> => ({
  ...process.env,
  INIT_CWD: scratch,
  BASE_URL: '',
  ...more,
})
/** A server without anybody behind it: whoever asks it, fails otherwise than by refusing. */
const nowhere = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none' }

const runFile = (file: string, args: readonly string[], more: Environment): Promise<Outcome> =>
  new Promise((resolve) => {
    execFile(file, args, { env: environment(more) }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, err }),
    )
  })
/** A command in a process of its own, as npm runs it. */
const run = (name: 'backup' | 'restore', args: readonly string[], more: Environment): Promise<Outcome> =>
  runFile(process.execPath, [command(name), ...args], more)
/** A command that is refused before any store is opened. */
async function refused(work: typeof runBackup | typeof runRestore, args: readonly string[], more: Environment): Promise<string> {
  const spy = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  try {
    expect(await work(args, environment(more))).toBe(1)
    return spy.mock.calls.join('')
  } finally {
    spy.mockRestore()
  }
}

const urlOf = (database: string): string => {
  const url = new URL(postgres.url)
  url.pathname = `/${database}`
  return url.href
}
async function newDatabase(name: string): Promise<string> {
  await postgres.pool.query(`CREATE DATABASE ${name}`)
  return urlOf(name)
}
async function ask(url: string, sql: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<{ row: string }>(sql)).rows.map(({ row }) => row)
  } finally {
    await client.end()
  }
}
const thingsIn = (url: string): Promise<string[]> =>
  ask(
    url,
    `SELECT n.nspname || '.' || c.relname AS row FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname IN ('public', 'jobs') ORDER BY 1`,
  )

const manifestOf = async (file: string): Promise<Manifest> => {
  const opened = await openBackup(file)
  opened.close()
  return opened.manifest
}
/** What an installation holds, by the rows and sums of its tables and by the rows of its facts. */
async function holdings(file: string) {
  const { postgres: tables, facts, sequences } = await manifestOf(file)
  const rows: Record<string, number> = {}
  for (const each of facts) rows[each.table] = (rows[each.table] ?? 0) + each.rows
  return { tables: tables.map(({ table, sha256 }) => [table, sha256]), rows, sequences }
}
const nameIn = (out: string): string => /^Backed up to (\S+) /.exec(out)?.[1] ?? ''

/** The backup, saying something else of itself. */
async function saying(name: string, change: (manifest: Manifest) => object): Promise<string> {
  const opened = await openBackup(backup)
  const { manifest } = opened
  const said = change(structuredClone(manifest))
  const others = 'others' in said ? (said as Manifest).others : manifest.others
  const members = [...manifest.postgres, ...manifest.facts, ...others].map(({ file }) => file)
  async function* content(member: string) {
    yield* await opened.content(member)
  }
  const files: ArchiveFile[] = members.map((member) => ({ name: member, content: content(member), stored: true }))
  await pipeline(zipStream([...files, { name: manifestName, content: JSON.stringify(said) }], new Date()), createWriteStream(at(name)))
  opened.close()
  return at(name)
}

const givenKey = 'a secret key that somebody gave, long enough'
/** As if it had been made with that key. */
const withoutKey = (manifest: Manifest): Manifest => ({
  ...manifest,
  key: { included: false, mark: markOf(givenKey) },
  others: manifest.others.filter(({ file }) => file !== keyName),
})

beforeAll(async () => {
  postgres = await openPostgres({ dataDir: at('postgres'), log: silentLog, onLost: () => {} })
  const DATABASE_URL = await newDatabase('lived')
  const config = parseConfig({ DATA_DIR: home, DATABASE_URL })
  const { pool, clickhouse, nextLoad, close } = await openStores(config, silentLog, () => {})
  const queue = await openQueue({ url: DATABASE_URL, log: silentLog, worker: false })
  await queue.close()
  expect(await nextLoad()).toBe(1)
  await pool.query(`INSERT INTO users (id, name, email) VALUES ('ann', 'Ann', 'ann@example.test')`)
  await pool.query(`INSERT INTO properties (user_id, name, kind) VALUES ('ann', 'one', 'google')`)
  // Names that do not compress, so that disks get full.
  const rowsOf = (table: string, columns: string, names: string): Promise<unknown> =>
    clickhouse.command({
      query: `INSERT INTO ${table} (property, type, date, load, ${columns}, clicks, impressions, position_sum)
        SELECT 1, 'web', toDate('2026-03-01') + number % 20, 1, ${names}, 1, 2, 3 FROM numbers(${perTable})`,
    })
  await rowsOf('facts_query', 'query', 'randomPrintableASCII(30)')
  await rowsOf('facts_page', 'page', 'randomPrintableASCII(30)')
  await rowsOf('facts_query_page', 'query, page', `randomPrintableASCII(30), ''`)
  await clickhouse.command({
    query: `INSERT INTO facts_current SELECT 1, 'web', 'query', toDate('2026-03-01') + number, 1, 1000, 1000, 2000 FROM numbers(20)`,
  })
  await expect(
    makeBackup({
      pool,
      clickhouse,
      config: { ...config, clickhouse: { ...config.clickhouse, url: 'http://127.0.0.1:9' } },
      clock: { now: () => new Date() },
      log: silentLog,
    }),
  ).rejects.toThrow('With CLICKHOUSE_URL the stores are backed up by their own means')
  await close()
  const made = await run('backup', ['--to', 'first/'], { DATA_DIR: home, DATABASE_URL })
  expect(made).toMatchObject({ code: 0, err: '', out: expect.stringContaining(': 1 account, 1 property, 60,000 rows of figures.') })
  backup = nameIn(made.out)
}, 120_000)

afterAll(async () => {
  await postgres.close()
  await rm(scratch, { recursive: true, force: true })
})

describe('stores of your own', () => {
  test('with DATABASE_URL that database is backed up, and restored into one that is empty; a SECRET_KEY stays outside', async () => {
    const there = { DATA_DIR: at('moved'), DATABASE_URL: await newDatabase('moved'), SECRET_KEY: givenKey }
    expect(await run('restore', [await saying('without-key.backup', withoutKey)], there)).toMatchObject({ code: 0, err: '' })
    expect(existsSync(at('moved', keyName))).toBe(false)
    const again = await run('backup', ['--to', 'again.backup'], there)
    expect(again).toMatchObject({ code: 0, err: '' })
    expect(again.out).toContain('The SECRET_KEY is not in it: without that key it cannot be restored.')
    expect(await holdings(at('again.backup'))).toEqual(await holdings(backup))
    const { key, others } = await manifestOf(at('again.backup'))
    expect(key).toEqual({ included: false, mark: markOf(givenKey) })
    expect(others.map(({ file }) => file)).not.toContain(keyName)
  })

  test('a database with something in it is refused, and left as it is', async () => {
    const DATABASE_URL = await newDatabase('theirs')
    await ask(DATABASE_URL, `CREATE TABLE shop (item text); INSERT INTO shop VALUES ('lamp'); CREATE SEQUENCE bills`).catch(() => [])
    const before = await thingsIn(DATABASE_URL)
    expect(before).toHaveLength(2)
    expect(await run('restore', [backup], { DATA_DIR: at('theirs'), DATABASE_URL })).toEqual({
      code: 1,
      out: '',
      err: 'The database at DATABASE_URL is not empty: create a new one and restore into that\n',
    })
    expect(await thingsIn(DATABASE_URL)).toEqual(before)
    expect(existsSync(at('theirs'))).toBe(false)
  })

  test('a restore that was killed is not taken for whole by any process, and the same command begins anew', async () => {
    const there = { DATA_DIR: at('killed'), DATABASE_URL: await newDatabase('killed') }
    const child = spawn(process.execPath, [command('restore'), backup], { env: environment(there), stdio: 'ignore' })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    await until(
      () => thingsIn(there.DATABASE_URL),
      (things) => things.includes('public.users'),
    )
    child.kill('SIGKILL')
    await ended
    // From another directory, as another process would have it.
    expect((await run('backup', ['--to', 'none/'], { ...there, DATA_DIR: home })).err).toMatch(
      /^A restore into the database at DATABASE_URL is under way or was broken off: run "npm run restore" again/,
    )
    expect(await run('restore', [backup], there)).toMatchObject({ code: 0, err: '' })
    expect(await ask(there.DATABASE_URL, 'SELECT name AS row FROM users')).toEqual(['Ann'])
    expect(await thingsIn(there.DATABASE_URL)).not.toContain('public.restore_unfinished')
  })

  test('a restore that fails leaves the database as empty as it was, and no directory', async () => {
    const DATABASE_URL = await newDatabase('failed')
    const file = await saying('of-other-rows.backup', (manifest) => ({
      ...manifest,
      facts: manifest.facts.map((each) => (each.table === 'facts_page' ? { ...each, rows: each.rows + 1 } : each)),
    }))
    expect(await run('restore', [file], { DATA_DIR: at('failed'), DATABASE_URL })).toEqual({
      code: 1,
      out: '',
      err: `Of ${perTable + 1} rows of facts_page ${perTable} were restored\n`,
    })
    expect(await thingsIn(DATABASE_URL)).toEqual([])
    expect(existsSync(at('failed'))).toBe(false)
  })

  test('with CLICKHOUSE_URL both refuse, before anything is asked or made, and say where it is written how to', async () => {
    const there = { ...nowhere, CLICKHOUSE_URL: 'http://127.0.0.1:9', DATA_DIR: at('elsewhere') }
    for (const [work, args, verb] of [
      [runBackup, ['--to', 'elsewhere-backups/'], 'backed up'],
      [runRestore, [backup], 'restored'],
    ] as const)
      expect(await refused(work, args, there)).toBe(
        `With CLICKHOUSE_URL the stores are ${verb} by their own means: "Backup and restore" in docs/deploy.md says how\n`,
      )
    expect(existsSync(at('elsewhere'))).toBe(false)
    expect(existsSync(at('elsewhere-backups'))).toBe(false)
  })
})

describe('a backup of a newer version', () => {
  const newer = /^\S+ was made by a newer Ranklark \(99\.0\.0\): install that version or a later one, and restore with it\n$/

  test.each<[string, (manifest: Manifest) => object]>([
    ['is of a form to come', () => ({ format: 2, version: '99.0.0', tables: 'elsewhere' })],
    ['has seen a migration', (manifest) => ({ ...manifest, version: '99.0.0', migrations: [...manifest.migrations, '9999-later'] })],
    ['has later tables of jobs', (manifest) => ({ ...manifest, version: '99.0.0', jobs: manifest.jobs + 1 })],
    [
      'has figures nobody knows',
      (manifest) => ({ ...manifest, version: '99.0.0', facts: manifest.facts.map((each) => ({ ...each, table: 'facts_city' })) }),
    ],
  ])('that %s is refused before anything is opened, with what to do', async (what, change) => {
    const file = await saying(`${what.replaceAll(' ', '-')}.backup`, change)
    expect(await refused(runRestore, [file], { ...nowhere, DATA_DIR: at('of-newer') })).toMatch(newer)
    expect(existsSync(at('of-newer'))).toBe(false)
  })

  test('that has figures with more columns is refused, and nothing of it stays', async () => {
    const DATABASE_URL = await newDatabase('columns')
    const file = await saying('columns.backup', (manifest) => ({
      ...manifest,
      version: '99.0.0',
      facts: manifest.facts.map((each) => ({ ...each, columns: [...each.columns, 'conversions'] })),
    }))
    const outcome = await run('restore', [file], { DATA_DIR: at('columns'), DATABASE_URL })
    expect(outcome.code).toBe(1)
    expect(outcome.err).toMatch(/ was made by a newer Ranklark \(99\.0\.0\): install that version or a later one, /)
    expect(await thingsIn(DATABASE_URL)).toEqual([])
    expect(existsSync(at('columns'))).toBe(false)
  })
})

describe('the secret key', () => {
  test('another SECRET_KEY than that of the backup is refused before anything is opened', async () => {
    const there = { ...nowhere, DATA_DIR: at('of-key') }
    expect(await refused(runRestore, [backup], { ...there, SECRET_KEY: givenKey })).toBe(
      'SECRET_KEY is set to another key than the one in the backup: leave it out, and the key of the backup is used\n',
    )
    const file = await saying('without-key.backup', withoutKey)
    const needed =
      'This backup was made with a SECRET_KEY that is not in it: set SECRET_KEY to that key, or what was sealed with it cannot be opened\n'
    for (const given of ['', 'another key, which is just as long as a key has to be'])
      expect(await refused(runRestore, [file], { ...there, SECRET_KEY: given })).toBe(needed)
    expect(existsSync(at('of-key'))).toBe(false)
  })
})

describe('--keep', () => {
  /** Files that are there before; of these the four oldest are ours and go. */
  const ours = (day: string): string => `ranklark-2020-01-${day}.backup`
  const foreign = [
    'notes.txt',
    'ranklark-2020-01-01T0215.backup.gz',
    'my-ranklark-2020-01-01T0215.backup',
    'ranklark-2020-01-01.backup',
    'ranklark-before-upgrade.backup',
  ]

  test('the newest stay, the others go; nothing else is touched', async () => {
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

    const { code, out, err } = await run('backup', ['--to', 'kept/', '--keep', '3'], { DATA_DIR: home, DATABASE_URL: urlOf('lived') })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('Removed 3 older backups.')
    const fresh = path.basename(nameIn(out))
    // The new one stays even when the clock was once ahead.
    const kept = [fresh, clockWasAhead, ours('02T0215-10'), ours('03T0215'), ours('04T0215'), ofAnother, ...foreign]
    expect((await readdir(directory)).toSorted()).toEqual(kept.toSorted())
    expect(await readFile(path.join(directory, 'notes.txt'), 'utf8')).toBe('notes.txt')
  })

  test('two that are done in the same minute get a name each', async () => {
    const to = { directory: at('same-minute'), name: null }
    const files = await Promise.all([1, 2, 3].map(async () => (await writeBackup(createReadStream(backup), to)).file))
    expect(new Set(files).size).toBe(3)
    expect(readdirSync(to.directory).toSorted()).toEqual(files.map((file) => path.basename(file)).toSorted())
    const taken = { directory: to.directory, name: path.basename(files[0] ?? '') }
    await expect(writeBackup(createReadStream(backup), taken)).rejects.toThrow('There is already a file ')
    expect(readdirSync(to.directory)).toHaveLength(3)
  })

  test('where no server has run nothing is backed up, nothing made and nothing removed', async () => {
    const directory = at('nightly')
    await mkdir(directory)
    await writeFile(path.join(directory, ours('01T0215')), '')
    for (const database of [{ DATABASE_URL: '' }, nowhere])
      expect(await refused(runBackup, ['--to', 'nightly/', '--keep', '1'], { DATA_DIR: at('mistyped'), ...database })).toMatch(
        /^There is nothing to back up in \S+mistyped: no server with these settings has run on it\. Set DATA_DIR/,
      )
    // Its database is another one.
    const empty = await newDatabase('mistaken')
    for (const DATABASE_URL of ['', empty])
      expect(await refused(runBackup, ['--to', 'nightly/', '--keep', '1'], { DATA_DIR: home, DATABASE_URL })).toContain(
        'There is nothing to back up',
      )
    expect(await thingsIn(empty)).toEqual([])
    expect(readdirSync(directory)).toEqual([ours('01T0215')])
    expect(existsSync(at('mistyped'))).toBe(false)
    expect(existsSync(path.join(home, 'postgres'))).toBe(false)
  })
})

describe('when there is no room', () => {
  const older = 'ranklark-2020-01-01T0215.backup'
  /** A mount that nobody else sees and that goes with the process; `-r` for who is not root. */
  const own = { program: 'unshare', flags: process.getuid?.() === 0 ? ['-m'] : ['-r', '-m'] }
  const canMount = (): boolean => {
    try {
      execFileSync(own.program, [...own.flags, 'mount', '-t', 'tmpfs', 'tmpfs', scratch], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  }
  const cannot = canMount() ? '' : 'this machine lets nobody mount a small disk: what a full disk does was not tried'

  /** A command on a disk of `size`, which `first` puts something on; `out` ends with what is on it afterwards. */
  async function onSmallDisk(size: string, first: string, name: 'backup' | 'restore', args: readonly string[], more: Environment) {
    const disk = at('disk')
    await mkdir(disk, { recursive: true })
    const script = `mount -t tmpfs -o size=${size} tmpfs "$0" && cd "$0" && ${first} && { "$@"; code=$?; echo left: $(ls -A "$0"); exit $code; }`
    return runFile(own.program, [...own.flags, 'sh', '-c', script, disk, process.execPath, command(name), ...args], more)
  }
  const lived = (): Environment => ({ DATA_DIR: home, DATABASE_URL: urlOf('lived') })

  test('for the backup: nothing of it stays, older ones do, and it is said why', async (context) => {
    if (cannot) context.skip(cannot)
    expect(await onSmallDisk('512k', `touch ${older}`, 'backup', ['--to', at('disk/'), '--keep', '1'], lived())).toEqual({
      code: 1,
      err: `There is no room for the backup in ${at('disk')}: the disk is full\n`,
      out: `left: ${older}\n`,
    })
  })

  test('for its pieces in the data directory: no file, and no piece stays', async (context) => {
    if (cannot) context.skip(cannot)
    const first = `ln -s '${path.join(home, 'clickhouse')}' clickhouse && cp '${path.join(home, keyName)}' .`
    const more = { ...lived(), DATA_DIR: at('disk') }
    const outcome = await onSmallDisk('128k', first, 'backup', ['--to', 'of-pieces/'], more)
    expect(outcome).toMatchObject({ code: 1, out: 'left: clickhouse secret.key\n' })
    expect(outcome.err).toMatch(/^A piece of the backup could not be written whole to \S+backup-drafts; is the disk full\? \(.+\)\n$/)
    expect(readdirSync(at('of-pieces'))).toEqual([])
  })

  test('a piece that ends between two blocks of rows, which the engine would take for all, is not whole', async () => {
    const [whole, half] = [zstdCompressSync('rows'.repeat(1000)), createZstdCompress()]
    half.write('rows'.repeat(1000))
    await new Promise<void>((resolve) => half.flush(constants.ZSTD_e_flush, () => resolve()))
    await writeFile(at('whole.zst'), whole)
    await writeFile(at('half.zst'), half.read() as Buffer)
    await expect(mustBeWhole(at('whole.zst'))).resolves.toBeUndefined()
    await expect(mustBeWhole(at('half.zst'))).rejects.toThrow('unexpected end of file')
  })

  test('for a restore: the directory and the database are as empty as before', async (context) => {
    if (cannot) context.skip(cannot)
    const DATABASE_URL = await newDatabase('small')
    const outcome = await onSmallDisk('1m', 'true', 'restore', [backup], { DATA_DIR: at('disk'), DATABASE_URL })
    expect(outcome).toMatchObject({ code: 1, out: 'left:\n' })
    expect(outcome.err).toMatch(/^Nothing was restored, there is no room for it: the disk is full \(.+\)\n$/)
    expect(await thingsIn(DATABASE_URL)).toEqual([])
  })

  test('for so large a file: nothing of it stays, and it is said why', async () => {
    const limited = 'ulimit -f 1400 && exec "$0" "$@"'
    expect(statSync(backup).size).toBeGreaterThan(1400 * 1024)
    const args = ['-c', limited, process.execPath, command('backup'), '--to', 'too-large/']
    expect(await runFile('sh', args, lived())).toEqual({
      code: 1,
      out: '',
      err: `There is no room for the backup in ${at('too-large')}: no file there may be as large\n`,
    })
    expect(readdirSync(at('too-large'))).toEqual([])
  })
})
