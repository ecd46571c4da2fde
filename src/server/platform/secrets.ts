import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

const ALGORITHM = 'aes-256-gcm'
const VERSION = 'v1'
const IV_BYTES = 12
const TAG_BYTES = 16
const MIN_KEY_LENGTH = 32

export type Vault = {
  /** Encrypts `plain`. The same `context` (say, the row it belongs to) is needed to open it. */
  seal(plain: string, context: string): string
  /** @throws VaultError when the text was changed, belongs to another context, or was sealed with another key */
  open(sealed: string, context: string): string
}

export class VaultError extends Error {
  override name = 'VaultError'
}

/**
 * The one secret all others derive from: `secretKey` when configured, else the file `secret.key` in the data
 * directory, made on first start (mode 0600). Two processes starting together get the same key.
 * @throws Error with one clear line when the key is shorter than 32 characters
 */
export async function loadSecretKey(source: { secretKey?: string | undefined; dataDir: string }): Promise<string> {
  if (source.secretKey !== undefined) return checked(source.secretKey, 'SECRET_KEY')
  const file = path.join(source.dataDir, 'secret.key')
  const existing = await readIfPresent(file)
  if (existing !== undefined) return checked(existing.trim(), file)
  await mkdir(source.dataDir, { recursive: true })
  // Written whole under another name, then linked: nobody ever reads half a key, and the first link wins.
  const draft = `${file}.${process.pid}.${randomBytes(6).toString('hex')}`
  try {
    await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
    await chmod(draft, 0o600)
    await link(draft, file).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error
    })
  } finally {
    await rm(draft, { force: true })
  }
  return checked((await readFile(file, 'utf8')).trim(), file)
}

/** A 32-byte key for one purpose; keys of different purposes reveal nothing about each other (HKDF-SHA-256). */
export function deriveKey(key: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `ranklark/${purpose}`, 32))
}

/** Sealed text is `v1.<base64url of iv + tag + ciphertext>`. */
export function createVault(key: string): Vault {
  const subKey = deriveKey(key, 'vault/v1')
  return {
    seal(plain, context) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(ALGORITHM, subKey, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `${VERSION}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    open(sealed, context) {
      const [version, payload] = sealed.split('.')
      const bytes = Buffer.from(payload ?? '', 'base64url')
      if (version !== VERSION || bytes.length < IV_BYTES + TAG_BYTES) throw new VaultError('Not a sealed value of this version')
      const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)
      const decipher = createDecipheriv(ALGORITHM, subKey, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(context)).setAuthTag(tag)
      try {
        return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
      } catch (error) {
        throw new VaultError('A sealed value could not be opened: it was changed, or sealed with another SECRET_KEY', { cause: error })
      }
    },
  }
}

function checked(key: string, where: string): string {
  if (key.length < MIN_KEY_LENGTH) throw new Error(`${where} must hold at least ${MIN_KEY_LENGTH} characters, but has ${key.length}`)
  return key
}

async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
