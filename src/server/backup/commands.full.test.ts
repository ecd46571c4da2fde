import { execFileSync, spawn } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect } from 'vitest'
import { until } from '../../../test/support/until.ts'
import { keyName } from './manifest.ts'
import { ask, commandFile, type Environment, type Installation, installationTest, thingsIn } from '../../../test/support/installation.ts'

const test = installationTest(20_000)

test('a restore that was killed is not taken for whole by any process, and the same command begins anew', async ({ installed }) => {
  const { at, backup, environment, home, newDatabase, run } = installed
  const there = { DATA_DIR: at('killed'), DATABASE_URL: await newDatabase() }
  const child = spawn(process.execPath, [commandFile('restore'), backup], { env: environment(there), stdio: 'ignore' })
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

describe('when there is no room', () => {
  const older = 'ranklark-2020-01-01T0215.backup'
  /** A mount that nobody else sees and that goes with the process; `-r` for who is not root. */
  const own = { program: 'unshare', flags: process.getuid?.() === 0 ? ['-m'] : ['-r', '-m'] }
  const canMount = (): boolean => {
    try {
      execFileSync(own.program, [...own.flags, 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  }
  const cannot = canMount() ? '' : 'this machine lets nobody mount a small disk: what a full disk does was not tried'

  type Work = { size: string; first: string; args: readonly string[]; more: Environment }

  /** A command on a disk of `size`, which `first` puts something on; `out` ends with what is on it afterwards. */
  async function onSmallDisk({ at, runFile }: Installation, name: 'backup' | 'restore', { size, first, args, more }: Work) {
    const disk = at('disk')
    await mkdir(disk, { recursive: true })
    const script = `mount -t tmpfs -o size=${size} tmpfs "$0" && cd "$0" && ${first} && { "$@"; code=$?; echo left: $(ls -A "$0"); exit $code; }`
    return runFile(own.program, [...own.flags, 'sh', '-c', script, disk, process.execPath, commandFile(name), ...args], more)
  }

  test('for the backup: nothing of it stays, older ones do, and it is said why', async ({ installed, skip }) => {
    if (cannot) skip(cannot)
    const { at, lived } = installed
    const args = ['--to', at('disk/'), '--keep', '1']
    expect(await onSmallDisk(installed, 'backup', { size: '512k', first: `touch ${older}`, args, more: lived })).toEqual({
      code: 1,
      err: `There is no room for the backup in ${at('disk')}: the disk is full\n`,
      out: `left: ${older}\n`,
    })
  })

  test('for its pieces in the data directory: no file, and no piece stays', async ({ installed, skip }) => {
    if (cannot) skip(cannot)
    const { at, home, lived } = installed
    const first = `ln -s '${path.join(home, 'clickhouse')}' clickhouse && cp '${path.join(home, keyName)}' .`
    const more = { ...lived, DATA_DIR: at('disk') }
    const outcome = await onSmallDisk(installed, 'backup', { size: '128k', first, args: ['--to', 'of-pieces/'], more })
    expect(outcome).toMatchObject({ code: 1, out: 'left: clickhouse secret.key\n' })
    expect(outcome.err).toMatch(/^A piece of the backup could not be written whole to \S+backup-drafts; is the disk full\? \(.+\)\n$/)
    expect(readdirSync(at('of-pieces'))).toEqual([])
  })

  test('for a restore: the directory and the database are as empty as before', async ({ installed, skip }) => {
    if (cannot) skip(cannot)
    const { at, backup, newDatabase } = installed
    const DATABASE_URL = await newDatabase()
    const more = { DATA_DIR: at('disk'), DATABASE_URL }
    const outcome = await onSmallDisk(installed, 'restore', { size: '1m', first: 'true', args: [backup], more })
    expect(outcome).toMatchObject({ code: 1, out: 'left:\n' })
    expect(outcome.err).toMatch(/^Nothing was restored, there is no room for it: the disk is full \(.+\)\n$/)
    expect(await thingsIn(DATABASE_URL)).toEqual([])
  })

  test('for so large a file: nothing of it stays, and it is said why', async ({ installed }) => {
    const { at, backup, lived, runFile } = installed
    const limited = 'ulimit -f 1400 && exec "$0" "$@"'
    expect(statSync(backup).size).toBeGreaterThan(1400 * 1024)
    const args = ['-c', limited, process.execPath, commandFile('backup'), '--to', 'too-large/']
    expect(await runFile('sh', args, lived)).toEqual({
      code: 1,
      out: '',
      err: `There is no room for the backup in ${at('too-large')}: no file there may be as large\n`,
    })
    expect(readdirSync(at('too-large'))).toEqual([])
  })
})
