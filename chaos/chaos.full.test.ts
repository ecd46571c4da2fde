import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, pacificDay } from '../src/core/analytics/days.ts'
import { gatherKeysOf, gatherLine, gatherSettings } from '../test/support/gathered-log.ts'
import { until } from '../test/support/until.ts'
import { findSomething } from './activities.ts'
import { campaign, strikeDuring } from './campaign.ts'
import { importAlone } from './commands.ts'
import { createDice } from './dice.ts'
import { startEmbedded } from './embedded.ts'
import type { Installation } from './installation.ts'
import { startJournal } from './journal.ts'
import { reportOf } from './report.ts'
import { type Society, startSociety } from './society.ts'
import { type StandIns, startStandIns } from './stand-ins.ts'

// `npm run chaos` in short: the same people, kills and comparisons, a handful of each.

const kills = 3
let directory: string
let world: StandIns
let at: Installation
let society: Society
const journal = startJournal('one process', () => {})
const dice = createDice(20_260)

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'ranklark-chaos-'))
  world = await startStandIns()
  at = await startEmbedded({ directory, env: world.env })
  society = await startSociety({ at, world, dice, journal, names: ['anna'] })
}, 240_000)
afterAll(async () => {
  await at.close()
  await world.close()
  gatherSettings(at.settings)
  gatherKeysOf(at.settings['DATA_DIR'] ?? '')
  for (const name of readdirSync(directory).filter((each) => each.endsWith('.log')))
    gatherLine(`${readFileSync(path.join(directory, name), 'utf8')}\n`)
  await rm(directory, { recursive: true, force: true })
})

test(
  'kill -9 while people work: it recovers by itself with everything that was acknowledged, and the check would find anything missing',
  { timeout: 900_000 },
  async () => {
    // There is something to lose, however slow the machine.
    society.beBusy()
    const notesThere = () => at.sql<{ count: number }>('SELECT count(*)::int AS count FROM annotations')
    await until(notesThere, ([row]) => (row?.count ?? 0) >= 15, 120_000)
    const waiting = async () => {
      await findSomething({ at, world, dice, people: society.people, files: society.files }, society.people[0]!)
      return until(
        () => at.sql("SELECT 1 FROM notifications WHERE channel = 'email'"),
        (rows) => rows.length > 0,
        5_000,
      ).catch(() => [])
    }
    await until(waiting, (rows) => rows.length > 0, 120_000)
    // A file whose `npm run import` was killed is among what is checked at the end.
    await strikeDuring(importAlone, { at, world, society, dice, journal })
    await campaign({ at, world, society, dice, journal, kills, between: kills, deadline: Number.POSITIVE_INFINITY })
    const { kills: struck, findings, last } = journal.end()
    expect(findings).toEqual([])
    expect(struck.length).toBeGreaterThanOrEqual(kills)
    expect(last?.days).toBeGreaterThan(30)
    expect(last?.acknowledged).toBeGreaterThan(20)

    // Discrepancies are found.
    await at.sql(
      `INSERT INTO notifications (user_id, channel, kind, message, state, next_attempt_at, give_up_at, sent_at, created_at)
     SELECT user_id, channel, kind, message, 'sent', now(), now(), now(), now() FROM notifications WHERE channel = 'email' LIMIT 1`,
    )
    await at.sql('DELETE FROM annotations WHERE id = (SELECT max(id) FROM annotations)')
    await at.sql("UPDATE annotations SET date = '2026-01-16' WHERE id = (SELECT min(id) FROM annotations)")
    await at.sql('UPDATE imports SET rows = rows - 1')
    // Older than any day that is fetched again: the stored figures no longer match Google's.
    const day = addDays(pacificDay(new Date()), -35)
    await world.google.setRows(society.people[0]!.site, day, [
      { page: 'https://anna.example/lamps', clicks: 1, impressions: 2, position: 1 },
    ])
    await society.lookAtEverything()
    const { findings: found } = journal.end()
    expect(found).toContainEqual(expect.stringContaining('is marked sent but never arrived'))
    expect(found).toContainEqual(expect.stringContaining('but is not there'))
    expect(found).toContainEqual(expect.stringMatching(/^"note .* but is .*2026-01-16/))
    expect(found).toContainEqual(expect.stringMatching(/^export-0\.csv of anna imported is noted 1 times, with \d+ of \d+ rows$/))
    expect(found).toContainEqual(expect.stringContaining('days differ'))
    expect(reportOf({ seed: 1, command: 'npm run chaos', begun: new Date(), seconds: 60, parts: [journal.end()] })).toContain('findings')
  },
)
