import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../test/support/visitor.ts'
import type { Dice } from './dice.ts'
import { ask, type Inhabitant } from './people.ts'
import { settings } from './settings.ts'
import { type Found, type Writing, writings } from './writings.ts'

/** What may be found: the last acknowledged value, or a later one whose answer never came. */
type Kept = { acknowledged: string | null; inDoubt: (string | null)[] }
type Entry = Kept & { id: string | null; key: string | null }
/** All of one kind, by what stays the same over all versions of a thing. */
type Book = { writing: Writing; entries: Map<string, Entry>; /** Those that existed, and were found to be gone. */ gone: Set<string> }

/** Writes what people write, one after the other, and records the answers. */
export type Ledger = {
  run(): void
  /** Afterwards nothing is in progress. @throws if a write was refused for no reason */
  pause(): Promise<void>
  /** How many writes were acknowledged, and how many got no answer or a failure. */
  counts(): { acknowledged: number; inDoubt: number }
  /** What is wrong: one line per write that is missing or duplicated. Only while paused. */
  missing(): Promise<string[]>
}

const pauseMs = 60
const answerMs = 30_000
const settingsWeight = 3
/** Keys tried at each check. */
const mostTried = 4

export function createLedger(person: Inhabitant, dice: Dice): Ledger {
  const books = writings.map((writing): Book => ({ writing, entries: new Map(), gone: new Set() }))
  const kept = new Map<string, Kept>(settings.map(({ name }) => [name, { acknowledged: null, inDoubt: [] }]))
  /** Keys whose revocation was acknowledged. */
  const revoked: string[] = []
  const tally = { acknowledged: 0, inDoubt: 0 }
  let running: Promise<void> | undefined
  let refused: unknown
  let pausing = false
  let count = 0

  async function write(what: Kept, value: string | null, send: () => Promise<Answer>): Promise<Answer | null> {
    what.inDoubt.push(value)
    const late = sleep(answerMs, null, { ref: false })
    const answer = await Promise.race([send().catch(() => null), late])
    // A write refused for a good reason didn't happen.
    if (answer !== null && answer.status >= 400 && answer.status < 500)
      throw new Error(`${person.name}: a write was refused: ${answer.status} ${JSON.stringify(answer.body)}`)
    if (answer === null || answer.status >= 300) {
      tally.inDoubt += 1
      return null
    }
    tally.acknowledged += 1
    what.acknowledged = value
    what.inDoubt = []
    return answer
  }

  async function add({ writing, entries }: Book): Promise<void> {
    count += 1
    const thing = `${writing.name} ${count} of ${person.name}`
    const entry: Entry = { acknowledged: null, inDoubt: [], id: null, key: null }
    entries.set(thing, entry)
    const body = writing.body(person, thing, count)
    const answer = await write(entry, writing.valueOf(body), () => ask(person, 'POST', writing.path(person), body))
    if (!answer) return
    const { id, key = null } = writing.made(answer.body)
    Object.assign(entry, { id, key })
  }

  async function change({ writing, entries }: Book, method: 'PATCH' | 'PUT' | 'DELETE'): Promise<void> {
    const changeable = [...entries].filter(
      ([, { id, acknowledged, inDoubt }]) => id !== null && acknowledged !== null && inDoubt.length === 0,
    )
    if (changeable.length === 0) return
    const [thing, entry] = dice.pick(changeable)
    const path = `${writing.path(person).split('?')[0]}/${entry.id}`
    if (method === 'DELETE') {
      const answer = await write(entry, null, () => ask(person, 'DELETE', path))
      if (answer && entry.key !== null) revoked.push(entry.key)
      return
    }
    count += 1
    const body = writing.body(person, thing, count)
    await write(entry, writing.valueOf(body), () => ask(person, method, path, body))
  }

  async function writeOne(book: Book): Promise<void> {
    const { most, changing } = book.writing
    const there = [...book.entries.values()].filter(({ acknowledged }) => acknowledged !== null).length
    const work = dice.weighted([
      [() => add(book), there < most ? 5 : 0],
      [async () => changing && change(book, changing), changing === null ? 0 : 2],
      [() => change(book, 'DELETE'), there < most ? 1 : 6],
    ])
    await work()
  }

  async function changeSetting(): Promise<void> {
    count += 1
    const setting = dice.pick(settings)
    const what = kept.get(setting.name) ?? { acknowledged: null, inDoubt: [] }
    const { method, path, body, value } = setting.write(person, count)
    await write(what, value, () => ask(person, method, path, body))
  }

  async function loop(): Promise<void> {
    for (;;) {
      if (pausing) return
      const work = dice.weighted([
        ...books.map((book) => [() => writeOne(book), book.writing.weight] as const),
        [changeSetting, settingsWeight] as const,
      ])
      const before = tally.inDoubt
      await work()
      // While nobody answers there is no use in hurrying.
      await sleep(tally.inDoubt > before ? 5 * pauseMs : pauseMs)
    }
  }

  /** An existing key gives access, and a revoked one doesn't. */
  async function wrongKeys(): Promise<string[]> {
    const held = books.flatMap(({ entries }) => [...entries]).filter(([, { key, acknowledged }]) => key !== null && acknowledged !== null)
    const wrong: string[] = []
    for (const [thing, { key, inDoubt }] of held.slice(-mostTried)) {
      const status = await triedWith(key ?? '')
      if (inDoubt.length === 0 && status !== 200) wrong.push(`"${thing}" should give access but returns ${status}`)
    }
    for (const key of revoked.slice(-mostTried)) {
      const status = await triedWith(key)
      if (status !== 401) wrong.push(`a key of ${person.name} that was revoked returns ${status}`)
    }
    return wrong
  }

  async function triedWith(key: string): Promise<number> {
    const { status } = await ask(person, 'GET', '/api/v1/properties', undefined, { authorization: `Bearer ${key}` })
    return status
  }

  return {
    run() {
      pausing = false
      running ??= loop()
        .catch((error: unknown) => (refused = error))
        .then(() => (running = undefined))
    },
    async pause() {
      pausing = true
      await running
      if (refused !== undefined) throw refused
    },
    counts: () => ({ ...tally }),
    async missing() {
      const wrong: string[] = []
      for (const book of books) {
        const found = Map.groupBy(await book.writing.list(person), ({ thing }) => thing)
        wrong.push(...wrongIn(book, found))
        settle(book, found)
      }
      for (const { name, read } of settings) {
        const { acknowledged, inDoubt } = kept.get(name) ?? { acknowledged: null, inDoubt: [] }
        const value = await read(person)
        if (acknowledged !== null && ![acknowledged, ...inDoubt].includes(value))
          wrong.push(`the ${name} of ${person.name} should be ${[acknowledged, ...inDoubt].join(' or ')} but is ${value}`)
      }
      return [...wrong, ...(await wrongKeys())]
    },
  }
}

function wrongIn({ entries, gone }: Book, found: Map<string, Found[]>): string[] {
  const wrong: string[] = []
  for (const [thing, { acknowledged, inDoubt }] of entries) {
    const there = found.get(thing) ?? []
    const allowed = [acknowledged, ...inDoubt]
    if (there.length > 1) wrong.push(`"${thing}" is there ${there.length} times`)
    else if (!allowed.includes(there[0]?.value ?? null))
      wrong.push(`"${thing}" should be ${allowed.join(' or ')} but is ${there[0]?.value ?? 'not there'}`)
  }
  return [...wrong, ...[...gone].filter((thing) => found.has(thing)).map((thing) => `"${thing}" was deleted but is back`)]
}

/** Whatever exists while nothing is in progress is the outcome of the writes in doubt. */
function settle({ entries, gone }: Book, found: Map<string, Found[]>): void {
  for (const [thing, entry] of entries) {
    const now = found.get(thing)?.[0]
    if (now) Object.assign(entry, { id: now.id, acknowledged: now.value, inDoubt: [] })
    else {
      entries.delete(thing)
      if (entry.id !== null) gone.add(thing)
    }
  }
}
