import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../test/support/until.ts'
import type { Dice } from './dice.ts'
import { type ImportedFile, makeFile, upload } from './imports.ts'
import type { Installation, Victim } from './installation.ts'
import { addSite, ask, dictate, insist, type Inhabitant } from './people.ts'
import type { StandIns } from './stand-ins.ts'

export type Scene = { at: Installation; world: StandIns; people: readonly Inhabitant[]; files: ImportedFile[]; dice: Dice }

/** A process started by an activity, which may be killed like those of the installation. */
export type Own = {
  victim: Victim
  /** The servers were stopped for it; this restarts them. */
  startServers: (() => void) | null
}

/** Starts work and waits for a moment within it, which is when something is killed. Doesn't wait for its end. */
export type Activity = { name: string; weight: number; begin(scene: Scene): Promise<Own | void> }

/** Days of a first sync: some seconds of work. */
const backfillDays = 45
/** Maximum properties per user; the plan allows 25, including the imported one. */
const mostSites = 22
/** Google's response time in milliseconds: time in which something may happen. */
const googleMs = 40

export const slowGoogle = (world: StandIns): Promise<unknown> => world.google.delay(googleMs, 'query')

export const momentIn = (dice: Dice, ms: number): Promise<void> => sleep(dice.whole(0, ms))

/** Flips some pages: fallen ones recover, others fall. */
async function turnOver({ world, dice }: Scene, person: Inhabitant): Promise<void> {
  for (let times = dice.whole(1, 3); times > 0; times--) {
    const page = dice.pick(person.pages)
    if (!person.fallen.delete(page)) person.fallen.add(page)
  }
  await dictate(person, world)
}

const refresh = (person: Inhabitant): Promise<unknown> => insist(person, 'POST', '/api/sync', { property: person.site })

async function isSynced({ at }: Scene, person: Inhabitant): Promise<boolean> {
  const [row] = await at.sql<{ busy: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM jobs.job WHERE name = 'sync-slice' AND state IN ('created', 'retry', 'active')
       AND data->>'propertyId' = (SELECT id::text FROM properties WHERE name = $1)) AS busy`,
    [person.site],
  )
  return row?.busy === false
}

/** A property's figures have changed and are stored, and its owner wants them evaluated: the answer may never come. */
export async function findSomething(scene: Scene, person: Inhabitant): Promise<void> {
  await turnOver(scene, person)
  await refresh(person)
  await until(
    () => isSynced(scene, person),
    (done) => done,
    60_000,
  )
  void ask(person, 'POST', `/api/alerts/evaluate?property=${encodeURIComponent(person.site)}`).catch(() => {})
}

export const activities: readonly Activity[] = [
  {
    name: 'first sync',
    weight: 2,
    async begin(scene) {
      const { people, at, world, dice } = scene
      const person = people.toSorted((a, b) => a.sites.length - b.sites.length)[0]
      if (person && person.sites.length < mostSites) await addSite(person, at, world, backfillDays)
      else if (person) await refresh(person)
      await momentIn(dice, 3_000)
    },
  },
  {
    name: 'daily sync',
    weight: 2,
    async begin(scene) {
      const person = scene.dice.pick(scene.people)
      await turnOver(scene, person)
      await refresh(person)
      await momentIn(scene.dice, 1_200)
    },
  },
  {
    name: 'evaluation',
    weight: 2,
    async begin(scene) {
      await findSomething(scene, scene.dice.pick(scene.people))
      await momentIn(scene.dice, 250)
    },
  },
  {
    name: 'delivery',
    weight: 3,
    async begin(scene) {
      const person = scene.dice.pick(scene.people)
      await findSomething(scene, person)
      const { sql } = scene.at
      const hasWaiting = async () => (await sql("SELECT 1 FROM notifications WHERE state = 'waiting' LIMIT 1")).length > 0
      // If the flipped pages cause no alerts, nothing is sent.
      await until(hasWaiting, (waiting) => waiting, 2_000).catch(() => {})
      await momentIn(scene.dice, 900)
    },
  },
  {
    name: 'import',
    weight: 2,
    async begin({ people, files, at, dice }) {
      const person = dice.pick(people)
      const file = makeFile(person, files.length)
      files.push(file)
      void upload(person, at.url, file)
      await momentIn(dice, 800)
    },
  },
]
