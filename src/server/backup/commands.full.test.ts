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

test('no process mistakes a killed restore for a complete one, and the same command starts over', async ({ installed }) => {
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
  // From another directory, as in another process.
  expect((await run('backup', ['--to', 'none/'], { ...there, DATA_DIR: home })).err).toMatch(
    /^A restore into the database at DATABASE_URL is in progress or was interrupted: run "npm run restore" again/,
  )
  expect(await run('restore', [backup], there)).toMatchObject({ code: 0, err: '' })
  expect(await ask(there.DATABASE_URL, 'SELECT name AS row FROM users')).toEqual(['Ann'])
  expect(await thingsIn(there.DATABASE_URL)).not.toContain('public.restore_unfinished')
})

describe('when there is no space', () => {
  const older = 'ranklark-2020-01-01T0215.backup'
  /** A mount that nobody else sees and that ends with the process; `-r` for non-root users. */
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

  /** A command on a disk of `size`, after `first` has put something on it; `out` ends with the files on it afterwards. */
  async function onSmallDisk({ at, runFile }: Installation, name: 'backup' | 'restore', { size, first, args, more }: Work) {
    const disk = at('disk')
    await mkdir(disk, { recursive: true })
    const script = `mount -t tmpfs -o size=${size} tmpfs "$0" && cd "$0" && ${first} && { "$@"; code=$?; echo left: $(ls -A "$0"); exit $code; }`
    return runFile(own.program, [...own.flags, 'sh', '-c', script, disk, process.execPath, commandFile(name), ...args], more)
  }

  test('for the backup: nothing of it remains, older ones do, and the reason is given', async ({ installed, skip }) => {
    if (cannot) skip(cannot)
    const { at, lived } = installed
    const args = ['--to', at('disk/'), '--keep', '1']
    expect(await onSmallDisk(installed, 'backup', { size: '512k', first: `touch ${older}`, args, more: lived })).toEqual({
      code: 1,
      err: `The backup does not fit in ${at('disk')}: the disk is full\n`,
      out: `left: ${older}\n`,
    })
  })

  test('for its parts in the data directory: no file, and no part remains', async ({ installed, skip }) => {
    if (cannot) skip(cannot)
    const { at, home, lived } = installed
    const first = `ln -s '${path.join(home, 'clickhouse')}' clickhouse && cp '${path.join(home, keyName)}' .`
    const more = { ...lived, DATA_DIR: at('disk') }
    const outcome = await onSmallDisk(installed, 'backup', { size: '128k', first, args: ['--to', 'of-pieces/'], more })
    expect(outcome).toMatchObject({ code: 1, out: 'left: clickhouse secret.key\n' })
    expect(outcome.err).toMatch(/^Part of the backup could not be written completely to \S+backup-drafts; is the disk full\? \(.+\)\n$/)
    expect(readdirSync(at('of-pieces'))).toEqual([])
  })

  test('for a restore: the directory and the database are as empty as before', async ({ installed, skip }) => {
    if (cannot) skip(cannot)
    const { at, backup, newDatabase } = installed
    const DATABASE_URL = await newDatabase()
    const more = { DATA_DIR: at('disk'), DATABASE_URL }
    const outcome = await onSmallDisk(installed, 'restore', { size: '1m', first: 'true', args: [backup], more })
    expect(outcome).toMatchObject({ code: 1, out: 'left:\n' })
    expect(outcome.err).toMatch(/^Nothing was restored because it does not fit: the disk is full \(.+\)\n$/)
    expect(await thingsIn(DATABASE_URL)).toEqual([])
  })

  test('for such a large file: nothing of it remains, and the reason is given', async ({ installed }) => {
    const { at, backup, lived, runFile } = installed
    const limited = 'ulimit -f 1400 && exec "$0" "$@"'
    expect(statSync(backup).size).toBeGreaterThan(1400 * 1024)
    const args = ['-c', limited, process.execPath, commandFile('backup'), '--to', 'too-large/']
    expect(await runFile('sh', args, lived)).toEqual({
      code: 1,
      out: '',
      err: `The backup does not fit in ${at('too-large')}: it is larger than the file size limit there\n`,
    })
    expect(readdirSync(at('too-large'))).toEqual([])
  })
})
