import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it, vi } from 'vitest'
import { unused } from '../../../test/support/app.ts'
import { gatherLine } from '../../../test/support/gathered-log.ts'
import { openHome } from '../../../test/support/snapshots.ts'
import { runImport } from './import.ts'
import { lockDirectory } from '../platform/directory-lock.ts'
import { createLog } from '../platform/log.ts'
import { openPostgres } from '../platform/postgres.ts'

const command = fileURLToPath(new URL('import.ts', import.meta.url))
const { dataDir, databaseUrl, remove } = await openHome(unused)
afterAll(remove)
const chart = path.join(dataDir, 'Chart.csv')
writeFileSync(chart, 'Date,Clicks,Impressions,CTR,Position\n2026-07-01,1200,34500,3.48%,5.5\n2026-07-02,1,2,50%,1\n')

type Outcome = { code: number; out: string; err: string }

/** The command in its own process, as npm runs it. */
const run = (...args: string[]): Promise<Outcome> =>
  new Promise((resolve) => {
    const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: databaseUrl, INIT_CWD: dataDir, PORT: '0', BASE_URL: '' }
    execFile(process.execPath, [command, ...args], { env }, (error, out, err) => {
      gatherLine(`${out}\n${err}\n`)
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err })
    })
  })

async function addAccount(name: string): Promise<void> {
  const { pool, close } = await openPostgres({ databaseUrl, dataDir, log: createLog('silent'), onLost: () => {} })
  await pool.query('INSERT INTO users (id, name, email, username) VALUES ($1, $1, $2, $1)', [name, `${name}@example.com`])
  await pool.query('INSERT INTO people (user_id, plan) VALUES ($1, $2)', [name, 'pro'])
  await close()
}

it.each<[string[], number, string]>([
  [['--help'], 0, 'Usage: npm run import -- FILE… --property NAME'],
  [[], 1, 'Name the files to import'],
  [['Chart.csv'], 1, 'Name the property to import into'],
  [['Chart.csv', 'more.csv', '--property', 'x'], 1, 'There is no file'],
  [['Chart.csv', '--proprety', 'x'], 1, "Unknown option '--proprety'"],
  [['missing.csv', '--property', 'x'], 1, 'There is no file'],
  [['.', '--property', 'x'], 1, 'is not a file'],
])('prints its usage: %j', async (args, code, text) => {
  const written = vi.fn<(text: unknown) => boolean>(() => true)
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(written),
    vi.spyOn(process.stderr, 'write').mockImplementation(written),
  ]
  const exit = await runImport(args, { DATA_DIR: dataDir, INIT_CWD: dataDir })
  for (const spy of spies) spy.mockRestore()
  expect(written.mock.calls.join('')).toContain(text)
  expect(exit).toBe(code)
})

it('imports by itself while no server is running', { tags: ['full'] }, async () => {
  expect(await run('Chart.csv', '--property', 'my site')).toMatchObject({
    code: 1,
    err: expect.stringContaining("There's no account yet"),
  })
  await addAccount('ann')
  const stored = '  2 rows, 2 days from 2026-07-01 to 2026-07-02\n  1,201 clicks, 34,502 impressions\n'
  expect(await run('Chart.csv', '--property', 'my site')).toEqual({ code: 0, out: `Imported into my site:\n${stored}`, err: '' })
  // A killed server leaves its file behind.
  writeFileSync(path.join(dataDir, 'hand-over.json'), JSON.stringify({ url: 'http://127.0.0.1:9', token: 'x'.repeat(43) }))
  expect(await run('Chart.csv', '--property', 'my site', '--user', 'ANN')).toEqual({
    code: 0,
    out: `Nothing changed: these files were already imported into my site:\n${stored}`,
    err: '',
  })
})

it('says in one line that another process owns the directory', async () => {
  const lock = lockDirectory(path.join(dataDir, 'clickhouse'))
  try {
    const outcome = await run('Chart.csv', '--property', 'my site')
    expect(outcome).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^Another Ranklark server .* is using .*\n$/) })
  } finally {
    lock.release()
  }
})
