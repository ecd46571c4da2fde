import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { chmod, link, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

const ALGORITHM = 'aes-256-gcm'
/** Without a key mark, like everything encrypted before keys could change. */
const UNMARKED = 'v1'
const VERSION = 'v2'
const IV_BYTES = 12
const TAG_BYTES = 16
const MIN_KEY_LENGTH = 32

/** Newest first: only it encrypts and signs, while all of them decrypt what they once encrypted. */
export type SecretKeys = readonly [current: string, ...before: string[]]

export type Vault = {
  /** Encrypts `plaintext`. Opening it needs the same `context` (say, the row it belongs to). */
  seal(plaintext: string, context: string): string
  /** @throws VaultError if the text was changed, belongs to another context, or was encrypted with a lost key */
  open(sealed: string, context: string): string
  /** Same for values that can be entered again: undecryptable ones count as absent. */
  find(sealed: string, context: string): string | null
  /** The prefix of everything encrypted with the newest key. */
  readonly mark: string
}

export class VaultError extends Error {
  override name = 'VaultError'
}

/**
 * The one secret all others derive from, and its predecessors: `secretKey` and `before` if configured, else the lines of `secret.key` in
 * the data directory, created on first start (mode 0600). Two processes starting together get the same key.
 * @throws Error with one clear line if a key is shorter than 32 characters
 */
export async function loadSecretKeys(source: {
  secretKey?: string | undefined
  before?: readonly string[]
  dataDir: string
}): Promise<SecretKeys> {
  if (source.secretKey !== undefined) return checked([source.secretKey, ...(source.before ?? [])], 'SECRET_KEY')
  const file = keyFileIn(source.dataDir)
  const existing = await readIfPresent(file)
  if (existing !== undefined) return checked(linesOf(existing), file)
  await mkdir(source.dataDir, { recursive: true })
  // Written completely under another name, then linked: nobody ever reads half a key, and the first link wins.
  const draft = `${file}.${process.pid}.${randomBytes(6).toString('hex')}`
  try {
    await writeFile(draft, `${newKey()}\n`, { mode: 0o600, flag: 'wx' })
    await chmod(draft, 0o600)
    await link(draft, file).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error
    })
  } finally {
    await rm(draft, { force: true })
  }
  return checked(linesOf(await readFile(file, 'utf8')), file)
}

/** Replaces the content of `secret.key` with these; a power cut leaves one or the other on disk. */
export async function storeSecretKeys(dataDir: string, keys: SecretKeys): Promise<void> {
  const draft = `${keyFileIn(dataDir)}.draft`
  await rm(draft, { force: true })
  const written = await open(draft, 'wx', 0o600)
  try {
    await written.writeFile(`${keys.join('\n')}\n`)
    await written.sync()
  } finally {
    await written.close()
  }
  await rename(draft, keyFileIn(dataDir))
  const directory = await open(dataDir, 'r')
  // Some systems don't let directories be synced.
  await directory.sync().catch(() => {})
  await directory.close()
}

export const newKey = (): string => randomBytes(32).toString('base64url')

const keyFileIn = (dataDir: string): string => path.join(dataDir, 'secret.key')
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Derives a 32-byte key for one purpose; keys for different purposes reveal nothing about each other (HKDF-SHA-256). */
export function deriveKey(key: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `ranklark/${purpose}`, 32))
}

/** Identifies a key without revealing anything about it. */
export const keyMark = (key: string): string => createHash('sha256').update(deriveKey(key, 'mark')).digest('base64url').slice(0, 8)

/** Encrypted text is `v2.<mark of the key>.<base64url of iv + tag + ciphertext>`. */
export function createVault(...[current, ...before]: SecretKeys): Vault {
  const keys = [current, ...before].map((key) => ({ mark: keyMark(key), subKey: deriveKey(key, 'vault/v1') }))
  const [newest] = keys as [(typeof keys)[number]]
  const mark = `${VERSION}.${newest.mark}.`

  function openSealed(sealed: string, context: string): string {
    const [version, ...rest] = sealed.split('.')
    const bytes = Buffer.from(rest.at(-1) ?? '', 'base64url')
    const parts = version === UNMARKED ? 1 : version === VERSION ? 2 : 0
    if (rest.length !== parts || bytes.length < IV_BYTES + TAG_BYTES) throw new VaultError('Not a sealed value of this version')
    const aad = Buffer.from(context)
    for (const { subKey } of keys.filter((key) => parts === 1 || key.mark === rest[0])) {
      const decipher = createDecipheriv(ALGORITHM, subKey, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
      decipher.setAAD(aad).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
      } catch {
        // Without a mark, only trying shows which key it is.
      }
    }
    throw new VaultError('An encrypted value could not be decrypted: it was changed, or encrypted with another SECRET_KEY')
  }

  return {
    mark,
    seal(plaintext, context) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(ALGORITHM, newest.subKey, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
      return `${mark}${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    open: openSealed,
    find(sealed, context) {
      try {
        return openSealed(sealed, context)
      } catch (error) {
        if (error instanceof VaultError) return null
        throw error
      }
    },
  }
}

function checked([current = '', ...before]: readonly string[], where: string): SecretKeys {
  const short = [current, ...before].find((key) => key.length < MIN_KEY_LENGTH)
  if (short !== undefined) throw new Error(`${where} must hold at least ${MIN_KEY_LENGTH} characters, but has ${short.length}`)
  return [current, ...before]
}

async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/** Compares in a time that doesn't depend on what differs. */
export function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
