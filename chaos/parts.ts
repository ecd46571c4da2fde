import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { campaign } from './campaign.ts'
import type { Dice } from './dice.ts'
import { startEmbedded } from './embedded.ts'
import type { Installation } from './installation.ts'
import type { Journal } from './journal.ts'
import { duringMigration } from './migration.ts'
import { diskFull, smallDisk } from './outages/disk.ts'
import { messagesDown } from './outages/messages.ts'
import { clickhouseKilled, postgresRestarted, storesRefused, storesSlow } from './outages/stores.ts'
import { startSociety } from './society.ts'
import { startSplit } from './split.ts'
import { startStandIns } from './stand-ins.ts'
import { startScript } from './start-script.ts'

export type PartOptions = {
  directory: string
  dice: Dice
  journal: Journal
  /** This part's number of kills. */
  kills: number
  deadline: number
}

/** One part of a run: its own installation, and what happens to it. */
type Part = { name: string; /** Its share of all kills, in percent. */ share: number; run(options: PartOptions): Promise<void> }

/** Kills between two full checks. */
const between = 8

const embedded: Part = {
  name: 'one process',
  share: 55,
  run: (options) =>
    inWorld(async (world) => {
      const at = await startEmbedded({ directory: options.directory, env: world.env })
      return living(at, world, options, async () => {})
    }, options.journal),
}

const split: Part = {
  name: 'several processes',
  share: 27,
  run: (options) =>
    inWorld(async (world) => {
      const at = await startSplit({ directory: options.directory, env: world.env })
      return living(at, world, options, async (stage) => {
        const here = { ...stage, at }
        for (const outage of [storesRefused, postgresRestarted, clickhouseKilled, storesSlow, messagesDown])
          await options.journal.noting(() => outage(here))
      })
    }, options.journal),
}

const disk: Part = {
  name: 'full disk',
  share: 0,
  run: async (options) => {
    const place = await smallDisk(options.directory)
    if (!place) return options.journal.note('Not run: this machine does not let us mount a small disk (it takes root).')
    try {
      await inWorld(async (world) => {
        const dataDir = path.join(place.path, 'data')
        const at = await startEmbedded({ directory: options.directory, env: world.env, dataDir })
        return living(at, world, { ...options, kills: 0 }, (stage) => diskFull(stage, place.path))
      }, options.journal)
    } finally {
      place.remove()
    }
  },
}

const migration: Part = {
  name: 'first start and migration',
  share: 18,
  run: ({ directory, ...options }) =>
    inWorld(async (world) => {
      await duringMigration({ ...options, directory, env: world.env })
      return { close: async () => {} }
    }, options.journal),
}

const start: Part = { name: 'npm start', share: 0, run: startScript }

/** Those in one lane run one after another; the lanes run in parallel. */
export const lanes: readonly (readonly Part[])[] = [
  [embedded, disk],
  [migration, split, start],
]

type World = Awaited<ReturnType<typeof startStandIns>>
type Stage = Parameters<typeof diskFull>[0]

async function inWorld(work: (world: World) => Promise<Pick<Installation, 'close'>>, journal: Journal): Promise<void> {
  const world = await startStandIns()
  try {
    const at = await work(world)
    // A clean shutdown is among the promises.
    await journal.noting(() => at.close())
  } finally {
    await world.close()
  }
}

/** Creates the users, kills processes while they work, then does what `more` adds. */
async function living(at: Installation, world: World, options: PartOptions, more: (stage: Stage) => Promise<void>): Promise<Installation> {
  const { dice, journal, kills, deadline } = options
  await mkdir(options.directory, { recursive: true })
  await journal.noting(async () => {
    const society = await startSociety({ at, world, dice, journal, names: ['anna', 'bert'] })
    if (kills > 0) await campaign({ at, world, society, dice, journal, kills, between, deadline })
    await more({ at, world, society, dice, journal, people: society.people, files: society.files })
  })
  return at
}
