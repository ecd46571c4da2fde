import { until } from '../test/support/until.ts'
import { slowGoogle } from './activities.ts'
import { checkAlerts } from './checks/alerts.ts'
import { createFactsCheck } from './checks/facts.ts'
import { checkMessages, falselySent } from './checks/messages.ts'
import type { Dice } from './dice.ts'
import type { ImportedFile } from './imports.ts'
import type { Installation } from './installation.ts'
import type { Journal } from './journal.ts'
import { createLedger } from './ledger.ts'
import { type Inhabitant, settleIn } from './people.ts'
import { createMailroom } from './received.ts'
import { comeToRest } from './rest.ts'
import type { StandIns } from './stand-ins.ts'

export type SocietyOptions = { at: Installation; world: StandIns; dice: Dice; journal: Journal; names: readonly string[] }

/** The users of an installation, and all that is known about what they did and should find. */
export type Society = {
  people: readonly Inhabitant[]
  /** Everything that anybody imported. */
  files: ImportedFile[]
  /** They write all the time from now on, until everything is checked. */
  beBusy(): void
  /** Something is broken while `work` runs: a message sent in that time may arrive twice. */
  whileBroken<T>(work: () => Promise<T>): Promise<T>
  /** What must hold at any time: nothing is marked sent that never arrived. */
  glance(): Promise<void>
  /** Waits until everything has come to rest, and compares all of it with the expected state. */
  lookAtEverything(): Promise<void>
}

/** Milliseconds within which a stand-in's held messages arrive after all. */
const arrivalMs = 5_000

export async function startSociety({ at, world, dice, journal, names }: SocietyOptions): Promise<Society> {
  const mailroom = createMailroom(world)
  const people: Inhabitant[] = []
  for (const name of names) people.push(await settleIn(name, at, world))
  const ledgers = people.map((person) => createLedger(person, dice))
  const files: ImportedFile[] = []
  const broken: { from: number; to: number }[] = []
  const messages = {
    sql: at.sql,
    url: at.url,
    mailroom,
    killedBetween: (from: number, to: number) => broken.some((span) => span.from <= to && span.to >= from),
  }
  const checkFacts = createFactsCheck(world.google, (site) => people.some((person) => person.site === site))
  await slowGoogle(world)

  /** A message may arrive a moment after its sender died. */
  async function neverSent(): Promise<string[]> {
    const isFine = (wrong: readonly string[]): boolean => wrong.length === 0
    await until(() => falselySent(messages), isFine, arrivalMs).catch(() => {})
    return falselySent(messages)
  }

  return {
    people,
    files,
    beBusy: () => ledgers.forEach((ledger) => ledger.run()),
    async whileBroken(work) {
      const span = { from: Date.now(), to: Number.POSITIVE_INFINITY }
      broken.push(span)
      try {
        return await work()
      } finally {
        span.to = Date.now()
      }
    },
    async glance() {
      for (const each of await neverSent()) journal.found(each)
    },
    async lookAtEverything() {
      for (const ledger of ledgers) await ledger.pause()
      await comeToRest(at, people, files)
      const late = await neverSent()
      const checked = await checkMessages(messages)
      const facts = await checkFacts(at, files)
      const alerts = await checkAlerts(at.sql, people)
      const missing = (await Promise.all(ledgers.map((ledger) => ledger.missing()))).flat()
      const counts = ledgers.map((ledger) => ledger.counts())
      journal.checked({
        days: facts.days,
        sent: checked.sent,
        repeated: checked.repeated,
        acknowledged: counts.reduce((sum, each) => sum + each.acknowledged, 0),
        inDoubt: counts.reduce((sum, each) => sum + each.inDoubt, 0),
      })
      for (const each of [...late, ...checked.wrong, ...facts.wrong, ...alerts, ...missing]) journal.found(each)
    },
  }
}
