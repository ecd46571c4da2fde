import type pg from 'pg'
import type { Config } from '../config.ts'
import type { Db } from '../database/open.ts'
import type { FactsStore } from '../facts/store.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Queue } from '../platform/queue.ts'
import type { SecretKeys, Vault } from '../platform/secrets.ts'
import type { EventBus } from './events.ts'

/** What every capability can build on; each names the parts it needs. */
export type Foundation = {
  config: Config
  pool: pg.Pool
  db: Db
  facts: FactsStore
  /** Numbers the next load of facts. */
  nextLoad(): Promise<number>
  queue: Queue
  vault: Vault
  /** What all other secrets derive from (platform/secrets.ts). */
  keys: SecretKeys
  events: EventBus
  mailer: Mailer
  /** This installation's URL, without a trailing slash; final once it listens. */
  baseUrl: () => string
  clock: Clock
  log: Log
}
