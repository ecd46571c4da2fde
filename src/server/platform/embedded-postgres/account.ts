import { lstatSync, readFileSync, statSync, type Stats } from 'node:fs'
import { chown, lchown, readdir } from 'node:fs/promises'
import path from 'node:path'

/** A user for PostgreSQL's processes. */
export type Account = { uid: number; gid: number }

/** The accounts PostgreSQL needs: `init` creates the files (initdb requires a user with a name), `run` owns them. */
export type Accounts = { init: Account; run: Account }

/** Our own unassigned id protects the files from every service that runs as `nobody`. */
const FREE_ID = 54_329

/**
 * PostgreSQL refuses to run as root. Started by root, it runs as the owner of `dataDir`, so that this user can start Ranklark later, or, if
 * root owns that too, as an id nobody else has. No user has to be created.
 * @returns undefined if this process is an ordinary user and PostgreSQL runs as the same
 */
export function accountsFor(dataDir: string): Accounts | undefined {
  if (process.getuid?.() !== 0) return undefined
  const users = namedUsers()
  const owner = statSync(dataDir)
  const named = users.get(owner.uid)
  if (owner.uid !== 0 && named) return { init: named, run: named }
  const init = [...users.values()].find((user) => user.uid === 65_534) ?? [...users.values()].find((user) => user.uid !== 0)
  if (!init) throw new Error('PostgreSQL cannot run as root, and /etc/passwd names no other user to run it as')
  if (owner.uid !== 0) return { init, run: { uid: owner.uid, gid: owner.gid } }
  let id = FREE_ID
  while (users.has(id)) id += 1
  return { init, run: { uid: id, gid: id } }
}

/** Whether `account` can reach `target`, with access to every directory above it. Returns false if in doubt. */
export function canReach(account: Account, target: string): boolean {
  for (let directory = path.dirname(path.resolve(target)); ; directory = path.dirname(directory)) {
    if (!mayEnter(account, lstatSync(directory))) return false
    if (directory === path.dirname(directory)) return true
  }
}

/** Transfers ownership of a directory and its contents to `account`. */
export async function giveTo(account: Account, directory: string): Promise<void> {
  await chown(directory, account.uid, account.gid)
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    await lchown(path.join(entry.parentPath, entry.name), account.uid, account.gid)
  }
}

function mayEnter(account: Account, directory: Stats): boolean {
  if (directory.uid === account.uid) return (directory.mode & 0o100) !== 0
  if (directory.gid === account.gid) return (directory.mode & 0o010) !== 0
  return (directory.mode & 0o001) !== 0
}

function namedUsers(): Map<number, Account> {
  const users = new Map<number, Account>()
  for (const line of readPasswd().split('\n')) {
    const [name, , uid, gid] = line.split(':')
    if (name && uid && gid && !users.has(Number(uid))) users.set(Number(uid), { uid: Number(uid), gid: Number(gid) })
  }
  return users
}

function readPasswd(): string {
  try {
    return readFileSync('/etc/passwd', 'utf8')
  } catch {
    return ''
  }
}
