import { lstatSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test as baseTest } from 'vitest'
import { openCluster, rowsKept } from '../../../test/support/clusters.ts'
import { eventually, recordingLog, runs, silentLog } from '../../../test/support/platform.ts'
import { smallDisk } from '../../../test/support/small-disk.ts'
import { openPostgres } from './postgres.ts'

// postgres.full.test.ts covers leftovers of an earlier server, the account it runs as, and later starts on a full disk.

/** A directory where a database was created on first use, with one row in it. */
const test = baseTest.extend('dataDir', { scope: 'file' }, async ({}, { onCleanup }) => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'ranklark first use '))
  onCleanup(() => rmSync(dataDir, { recursive: true, force: true }))
  const postgres = await openPostgres({ dataDir, log: silentLog, onLost: () => {} })
  await postgres.pool.query('CREATE TABLE kept (n int); INSERT INTO kept VALUES (1)')
  await postgres.close()
  return dataDir
})

test('an embedded database keeps its data, is unreachable from other machines or without its password, and leaves nothing running', async ({
  dataDir,
}) => {
  const postgres = await openCluster(dataDir)
  expect(await rowsKept(postgres)).toBeGreaterThan(0)
  const { rows } = await postgres.pool.query('SELECT current_setting($1) AS tcp, current_setting($2) AS sockets', [
    'listen_addresses',
    'unix_socket_directories',
  ])
  expect(rows[0].tcp).toBe('')
  expect(lstatSync(rows[0].sockets).mode & 0o777).toBe(0o700)
  expect(statSync(path.join(dataDir, 'postgres', 'password')).mode & 0o777).toBe(0o600)
  expect(statSync(path.join(dataDir, 'postgres')).mode & 0o077).toBe(0)
  const url = new URL(postgres.url)
  url.password = 'wrong'
  await expect(openPostgres({ databaseUrl: url.href, dataDir, log: silentLog, onLost: () => {} })).rejects.toThrow(
    /password authentication failed/,
  )
  const pid = postgres.pid ?? 0
  await postgres.close()
  expect(runs(pid)).toBe(false)
})

test('a PostgreSQL that dies alone is restarted, and the pool recovers', async ({ dataDir }) => {
  let lost = false
  const { log, lines } = recordingLog()
  const postgres = await openCluster(dataDir, { log, onLost: () => (lost = true) })
  const before = await rowsKept(postgres)
  await postgres.pool.query('INSERT INTO kept VALUES (2)')
  const first = postgres.pid ?? 0
  process.kill(first, 'SIGKILL')
  // Until it notices, an open connection may still be served.
  await eventually(() => expect(postgres.pid).not.toBe(first))
  await eventually(async () => expect(await rowsKept(postgres)).toBe(before + 1))
  expect(lost).toBe(false)
  expect(lines.join('')).toContain('PostgreSQL died; starting it again')
})

test("a connection that PostgreSQL ended mid-statement isn't reused", { tags: ['full'] }, async ({ dataDir }) => {
  const { pool } = await openCluster(dataDir, { poolSize: 1 })
  for (let time = 0; time < 5; time += 1) {
    const client = await pool.connect()
    await expect(client.query('SELECT pg_terminate_backend(pg_backend_pid())')).rejects.toMatchObject({ code: '57P01' })
    // The query builder releases it without an error before the socket is closed.
    client.release()
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  }
})

test('a full disk on the first start: one line, and no half-made database', async ({ skip }) => {
  const disk = smallDisk('8m') ?? skip('needs the right to mount a small disk')
  const opening = openPostgres({ dataDir: disk, log: silentLog, onLost: () => {} })
  await expect(opening).rejects.toThrow(/^PostgreSQL could not be set up: the disk that holds .* is full\. Free some space/)
  expect(readdirSync(path.join(disk, 'postgres')).filter((name) => name.startsWith('cluster'))).toEqual([])
})
