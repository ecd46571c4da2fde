import { DelayedSave } from '../lib/delayed-save.ts'
import type { StateFile } from '../lib/state-file.ts'
import { missingObject } from './wire/errors.ts'
import type { Kind, Kinds } from './objects/types.ts'

const KINDS: Readonly<Record<Kind, true>> = {
  customer: true,
  product: true,
  price: true,
  payment_method: true,
  payment_intent: true,
  setup_intent: true,
  charge: true,
  invoice: true,
  invoice_payment: true,
  subscription: true,
  subscription_schedule: true,
  'billing_portal.session': true,
  webhook_endpoint: true,
  event: true,
}

/** What Stripe knows about an object but doesn't show. */
export interface Secrets {
  /** Behavior of the test card behind a payment method, by its id. */
  cards: Record<string, { behavior: string; authenticated: boolean }>
  /** The intent that pays for an invoice, by the invoice's id. */
  intentOf: Record<string, string>
  /** Amounts that a subscription's next invoice collects, by its id. */
  pendingLines: Record<string, Kinds['invoice']['lines']['data']>
  /** The time from which a subscription's items change once an invoice is paid, by the invoice's id. */
  pendingUpdateOf: Record<string, string>
  /** Customers whose card fails from now on, and how. */
  failing: Record<string, string>
  /** Customers that were deleted. */
  deleted: string[]
  /** Secret of a webhook endpoint by its id: responses show it only once. */
  signing: Record<string, string>
  /** How often scheduled collection of an invoice was tried. */
  retries: Record<string, number>
}

const noSecrets = (): Secrets => ({
  cards: {},
  intentOf: {},
  pendingLines: {},
  pendingUpdateOf: {},
  failing: {},
  deleted: [],
  signing: {},
  retries: {},
})

interface Saved {
  readonly objects?: Partial<Record<Kind, Kinds[Kind][]>>
  readonly secrets?: Partial<Secrets>
  readonly more?: Record<string, unknown>
}

/** Keeps every object by kind and id, oldest first, and writes them to the state file soon after a change. */
export class Store {
  readonly #file: StateFile
  readonly #tables = new Map<Kind, Map<string, Kinds[Kind]>>()
  readonly #saving = new DelayedSave(() => this.#write())
  secrets: Secrets = noSecrets()
  /** Returns what else is to be saved. */
  extra: () => Record<string, unknown> = () => ({})

  constructor(file: StateFile) {
    this.#file = file
    this.clear()
  }

  #table<K extends Kind>(kind: K): Map<string, Kinds[K]> {
    // Each table has only objects of its own kind: `insert` is the only way in.
    return this.#tables.get(kind) as Map<string, Kinds[K]>
  }

  clear(): void {
    for (const kind of Object.keys(KINDS) as Kind[]) this.#tables.set(kind, new Map())
    this.secrets = noSecrets()
  }

  insert<K extends Kind>(kind: K, value: Kinds[K]): Kinds[K] {
    this.#table(kind).set(value.id, value)
    this.touched()
    return value
  }

  remove(kind: Kind, id: string): void {
    this.#table(kind).delete(id)
    this.touched()
  }

  find<K extends Kind>(kind: K, id: string): Kinds[K] | undefined {
    return this.#table(kind).get(id)
  }

  /** The object with that id, or Stripe's error. @param param named in the error if the id was a parameter, not in the path */
  get<K extends Kind>(kind: K, id: string, param?: string): Kinds[K] {
    const found = this.find(kind, id)
    if (!found) throw missingObject(kind, id, param)
    return found
  }

  /** Discards the oldest beyond this many. */
  trim(kind: Kind, most: number): void {
    const table = this.#table(kind)
    for (const id of table.keys()) {
      if (table.size <= most) return
      table.delete(id)
    }
  }

  /** Oldest first. */
  all<K extends Kind>(kind: K): Kinds[K][] {
    return [...this.#table(kind).values()]
  }

  /** Any object with that id. */
  findAny(id: string): Kinds[Kind] | undefined {
    for (const table of this.#tables.values()) {
      const found = table.get(id)
      if (found) return found
    }
    return undefined
  }

  /** Runs something that is rolled back if it fails. */
  atomically<T>(work: () => T): T {
    const before = structuredClone({ tables: [...this.#tables], secrets: this.secrets })
    try {
      return work()
    } catch (error) {
      for (const [kind, table] of before.tables) this.#tables.set(kind, table)
      this.secrets = before.secrets
      throw error
    }
  }

  /** After a change: schedules a save. */
  touched(): void {
    this.#saving.changed()
  }

  /** Writes unsaved changes. */
  save(): void {
    this.#saving.flush()
  }

  #write(): void {
    const objects = Object.fromEntries([...this.#tables].map(([kind, table]) => [kind, [...table.values()]]))
    this.#file.save({ objects, secrets: this.secrets, more: this.extra() })
  }

  /** Restores what an earlier process saved; returns the rest of the file. */
  load(): Record<string, unknown> | undefined {
    const saved = this.#file.load() as Saved | undefined
    if (saved?.objects === undefined) return undefined
    for (const [kind, objects] of Object.entries(saved.objects) as [Kind, Kinds[Kind][]][]) {
      this.#tables.set(kind, new Map(objects.map((each) => [each.id, each])))
    }
    this.secrets = { ...noSecrets(), ...saved.secrets }
    return saved.more ?? {}
  }
}
