import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { execFileSync, spawn } from 'node:child_process'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { clusterLeftBehind, openCluster, rowsKept } from '../../../test/support/clusters.ts'
import {
  childrenOf,
  eventually,
  openStoresElsewhere,
  postmasterOf,
  recordingLog,
  runs,
  silentLog,
  temporaryDirectory,
} from '../../../test/support/platform.ts'
import { smallDisk } from '../../../test/support/small-disk.ts'
import { openPostgres } from './postgres.ts'

const isRoot = process.getuid?.() === 0
const NOBODY = { uid: 65_534, gid: 65_534 }

describe('an embedded database', () => {
  test('opens through its URL, as through DATABASE_URL', async () => {
    const dataDir = await clusterLeftBehind('address')
    const postgres = await openCluster(dataDir)
    const second = await openCluster(dataDir, { databaseUrl: postgres.url })
    expect((await second.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })

  test('works below a path too long for a socket', async () => {
    const dataDir = path.join(temporaryDirectory('long'), 'x'.repeat(120), 'data')
    const postgres = await openCluster(dataDir)
    expect((await postgres.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    const socket =
      (await postgres.pool.query<{ dir: string }>("SELECT current_setting('unix_socket_directories') AS dir")).rows[0]?.dir ?? ''
    expect(lstatSync(socket).mode & 0o777).toBe(0o700)
    await postgres.close()
    expect(existsSync(socket)).toBe(false)
  })
})

describe('an earlier server left', () => {
  test('nothing, usually: when it is killed, its PostgreSQL stops by itself', async () => {
    const dataDir = temporaryDirectory('parent')
    const { child, firstLine } = openStoresElsewhere(dataDir, 'postgres')
    await firstLine
    const pid = postmasterOf(dataDir)
    child.kill('SIGKILL')
    await eventually(() => expect(runs(pid)).toBe(false))
    expect(existsSync(path.join(dataDir, 'postgres', 'cluster', 'postmaster.pid'))).toBe(false)
  })

  test('its PostgreSQL running: it is stopped, and one server has the files', async () => {
    const dataDir = await clusterLeftBehind('orphan')
    const { child, exit, firstLine } = openStoresElsewhere(dataDir, 'postgres')
    expect(await firstLine).toMatch(/^ready/)
    const orphan = postmasterOf(dataDir)
    for (const watchdog of childrenOf(child.pid ?? 0, 'sh')) process.kill(watchdog, 'SIGKILL')
    child.kill('SIGKILL')
    await exit
    expect(runs(orphan)).toBe(true)
    const postgres = await openCluster(dataDir)
    expect(runs(orphan)).toBe(false)
    expect(await rowsKept(postgres)).toBe(1)
  })

  test('a pid file whose number now belongs to an unrelated process: that process is left alone', async () => {
    const dataDir = await clusterLeftBehind('stale')
    const { child, firstLine, exit } = openStoresElsewhere(dataDir, 'postgres')
    await firstLine
    const pidFile = path.join(dataDir, 'postgres', 'cluster', 'postmaster.pid')
    const note = readFileSync(pidFile, 'utf8')
    process.kill(postmasterOf(dataDir), 'SIGKILL')
    child.kill('SIGKILL')
    await exit
    // PostgreSQL refuses to start if a live process of its own user has that number.
    const { uid, gid } = statSync(path.join(dataDir, 'postgres', 'cluster'))
    const bystander = spawn('sleep', ['60'], { cwd: '/', ...(isRoot && { uid, gid }) })
    onTestFinished(() => void bystander.kill())
    writeFileSync(pidFile, note.replace(/^\d+/, String(bystander.pid)))
    const postgres = await openCluster(dataDir)
    expect(await rowsKept(postgres)).toBe(1)
    expect(runs(bystander.pid ?? 0)).toBe(true)
  })

  test('half a cluster from a killed first start: it is removed', async () => {
    const dataDir = temporaryDirectory('draft')
    mkdirSync(path.join(dataDir, 'postgres', 'cluster-draft-abc'), { recursive: true })
    await openCluster(dataDir)
    expect(readdirSync(path.join(dataDir, 'postgres'))).not.toContain('cluster-draft-abc')
  })
})

describe('two servers on one directory', () => {
  test('exactly one wins, the other gets one line', async () => {
    const dataDir = temporaryDirectory('race')
    const both = [openStoresElsewhere(dataDir, 'postgres'), openStoresElsewhere(dataDir, 'postgres')]
    const lines = (await Promise.all(both.map(({ firstLine }) => firstLine))).toSorted()
    expect(lines[0]).toMatch(/^Another Ranklark server .*is using .*: stop it, or give this one another DATA_DIR$/)
    expect(lines[1]).toMatch(/^ready/)
    for (const { child, exit } of both) {
      child.kill('SIGTERM')
      await exit
    }
  })
})

describe('PostgreSQL dying alone', () => {
  test('a server shutting down at that moment ends, and leaves nothing running', async () => {
    const dataDir = await clusterLeftBehind('killed at the end')
    const { log, lines } = recordingLog()
    const postgres = await openCluster(dataDir, { log })
    const first = postgres.pid ?? 0
    process.kill(first, 'SIGKILL')
    // The next one has begun to repair the files.
    await eventually(() => expect(lines.join('')).toContain('was interrupted'))
    await postgres.close()
    expect(runs(first)).toBe(false)
    expect(runs(postgres.pid ?? 0)).toBe(false)
  })

  test("onLost is called if it can't be restarted", async () => {
    const dataDir = await clusterLeftBehind('lost')
    const lost = Promise.withResolvers<Error>()
    const postgres = await openCluster(dataDir, { onLost: lost.resolve })
    rmSync(path.join(dataDir, 'postgres', 'cluster', 'global'), { recursive: true })
    process.kill(postgres.pid ?? 0, 'SIGKILL')
    expect((await lost.promise).message).toMatch(/^PostgreSQL could not start: /)
  })
})

describe('which user it runs as', () => {
  test.runIf(isRoot)('under root: a regular user, even where only root has access', async () => {
    const dataDir = path.join(temporaryDirectory('root only'), 'app', 'data')
    mkdirSync(dataDir, { recursive: true })
    chmodSync(path.dirname(dataDir), 0o700)
    const postgres = await openCluster(dataDir)
    const status = readFileSync(`/proc/${postgres.pid}/status`, 'utf8')
    expect(status).not.toMatch(/^Uid:\s+0\s/m)
    expect((await postgres.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })

  test.runIf(isRoot)('a regular user starts it, then root, then the user again', async () => {
    const dataDir = temporaryDirectory('user')
    execFileSync('chown', [`${NOBODY.uid}:${NOBODY.gid}`, dataDir])
    const startAs = async (as?: typeof NOBODY) => {
      const { child, firstLine, exit } = openStoresElsewhere(dataDir, 'postgres', as)
      expect(await firstLine).toMatch(/^ready/)
      child.kill('SIGTERM')
      expect(await exit).toBe(0)
    }
    await startAs(NOBODY)
    await startAs()
    await startAs(NOBODY)
  })
})

describe('a full disk', () => {
  test('on a later start: one line; with space again it starts', async ({ skip }) => {
    const disk = smallDisk('200m') ?? skip('needs the right to mount a small disk')
    const first = await openCluster(disk)
    await first.close()
    const filler = path.join(disk, 'filler')
    // Ends with an error when the disk is full, as it should.
    spawnSyncFill(filler)
    const opening = openPostgres({ dataDir: disk, log: silentLog, onLost: () => {} })
    await expect(opening).rejects.toThrow(/is full\. Free some space/)
    rmSync(filler)
    await openCluster(disk)
  })
})

function spawnSyncFill(file: string): void {
  try {
    execFileSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=4k'], { stdio: 'ignore' })
  } catch {
    // "No space left on device"
  }
}
