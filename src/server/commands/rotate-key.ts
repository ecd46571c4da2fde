import { existsSync } from 'node:fs'
import path from 'node:path'
import { type Config, parseConfig } from '../config.ts'
import { migrations } from '../database/migrations/index.ts'
import { type Db, openDatabase } from '../database/open.ts'
import { formerKeyDays, keepFormer } from '../database/former-keys.ts'
import { serverOn } from '../platform/command-handshake.ts'
import { createLog, type Log } from '../platform/log.ts'
import { migrate } from '../platform/migrate.ts'
import { DirectoryInUseError, openPostgres } from '../platform/postgres.ts'
import { createVault, loadSecretKeys, newKey, type SecretKeys, storeSecretKeys } from '../platform/secrets.ts'
import { openStores } from '../stores/stores.ts'
import { resealAll } from './reseal.ts'
import { type Env, printed } from './run.ts'

const stopFirst = 'Stop Ranklark first: it is using the key you want to replace'

/** Seals everything with the newest key, and keeps what the links of old emails need; returns what to print. */
async function reseal(db: Db, keys: SecretKeys): Promise<string> {
  await keepFormer(db, createVault(...keys), keys)
  const { resealed, lost } = await resealAll(db, keys)
  const left =
    lost === 0
      ? ''
      : ` Values that couldn't be decrypted with any known key: ${lost}. They count as missing until people reconnect or set them up again.`
  return `${resealed === 1 ? '1 value is' : `${resealed} values are`} encrypted with the new key.${left} Links in emails already sent will keep working for ${formerKeyDays} more days.`
}

/**
 * Replaces a key in the data directory. Both are in the file before the first value is resealed, and the old one is removed after the last:
 * whenever it is killed, the file has every key in use.
 */
async function rotateOwn(config: Config, log: Log): Promise<string> {
  const { dataDir } = config
  if (!existsSync(path.join(dataDir, 'secret.key')))
    throw new Error(`There is no secret.key in ${dataDir}. Set DATA_DIR to the one the server uses`)
  if (await serverOn(dataDir)) throw new Error(stopFirst)
  const { db, close } = await openStores(config, log, (error) => {
    throw error
  }).catch((error: unknown) => {
    throw error instanceof DirectoryInUseError ? new Error(stopFirst) : error
  })
  try {
    const held = await loadSecretKeys({ dataDir })
    // Two: an earlier run was interrupted, and is continued.
    const keys: SecretKeys = held.length > 1 ? held : [newKey(), ...held]
    await storeSecretKeys(dataDir, keys)
    const message = await reseal(db, keys)
    await storeSecretKeys(dataDir, [keys[0]])
    return `${message} The old key has been removed from ${path.join(dataDir, 'secret.key')}; earlier backups still contain it.`
  } finally {
    await close()
  }
}

/** Replaces a key given by the operator with another; servers that have both can run meanwhile. */
async function rotateGiven(config: Config, log: Log): Promise<string> {
  const { dataDir, databaseUrl } = config
  if (config.secretKeysBefore.length === 0)
    throw new Error(
      'SECRET_KEY is set, so you choose the new key. Set SECRET_KEY to it and SECRET_KEY_BEFORE to the current one, restart every Ranklark process with both, and run this again',
    )
  const keys = await loadSecretKeys({ secretKey: config.secretKey, before: config.secretKeysBefore, dataDir })
  const { pool, close } = await openPostgres({ databaseUrl, dataDir, log, onLost: (error) => log.error(error.message) }).catch(
    (error: unknown) => {
      throw error instanceof DirectoryInUseError
        ? new Error('Stop Ranklark first: only one process at a time can use the PostgreSQL in its data directory')
        : error
    },
  )
  try {
    const db = openDatabase(pool)
    await migrate(db, migrations, log)
    return `${await reseal(db, keys)} Remove SECRET_KEY_BEFORE before the next start.`
  } finally {
    await close()
  }
}

/** `npm run rotate-key`: a new SECRET_KEY, with everything resealed. @returns the exit code */
export const runRotateKey = (env: Env): Promise<number> =>
  printed(async () => {
    const config = parseConfig(env)
    const log = createLog('error', true, { write: (line) => void process.stderr.write(line) })
    const message = await (config.secretKey === undefined ? rotateOwn(config, log) : rotateGiven(config, log))
    return `${message} Everyone has to log in again.\n`
  })

if (import.meta.main) process.exitCode = await runRotateKey(process.env)
