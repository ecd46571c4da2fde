import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { prepareInstallation } from '../../src/server/platform/embedded-postgres/files.ts'
import { startProcess } from '../../src/server/platform/embedded-postgres/process.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { urlOf } from '../support/snapshots.ts'

/**
 * One empty PostgreSQL for the whole run: `snapshots.ts` fills it with the tests' starting states. Several projects of one run share it;
 * the first one starts it, and stops it when all are done.
 */
export default async function setup(): Promise<(() => Promise<void>) | void> {
  if (process.env['TEST_POSTGRES'] !== undefined) return
  process.env['TMPDIR'] = scratchPlace()
  const directory = mkdtempSync(path.join(tmpdir(), 'ranklark-run-'))
  const installation = await prepareInstallation(path.join(directory, 'postgres'), createLog('silent'))
  const server = await startProcess(installation, createLog('silent'), settings)
  process.env['TEST_POSTGRES'] = urlOf(installation.socketDir, installation.password)
  process.env['TEST_SNAPSHOTS'] = directory
  return async () => {
    delete process.env['TEST_POSTGRES']
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
    if (installation.socketIsTemporary) rmSync(installation.socketDir, { recursive: true, force: true })
  }
}

/** Where tests write temporary data: in memory, if there is enough of it. */
function scratchPlace(): string {
  const inMemory = '/dev/shm'
  if (process.env['TMPDIR'] !== undefined || !existsSync(inMemory)) return tmpdir()
  const { bavail, bsize } = statfsSync(inMemory)
  return bavail * bsize >= 4 * 1024 ** 3 ? inMemory : tmpdir()
}

/** Nothing in it outlives the run: nothing waits for the disk, and there is nothing to clean up. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_connections: 200,
  shared_buffers: '128MB',
}
