import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gatherKeysOf, gatherLine, gatherSettings } from '../test/support/gathered-log.ts'
import { until } from '../test/support/until.ts'
import { campaign } from './campaign.ts'
import { createDice } from './dice.ts'
import { startEmbedded } from './embedded.ts'
import type { Installation } from './installation.ts'
import { startJournal } from './journal.ts'
import { type Society, startSociety } from './society.ts'
import { type StandIns, startStandIns } from './stand-ins.ts'

// One kill of `npm run chaos`; a handful of them, and everything that is compared: chaos.full.test.ts.

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

test('kill -9 while people work: everything that was acknowledged is there, and what is missing is found', async () => {
  society.beBusy()
  const notesThere = () => at.sql<{ count: number }>('SELECT count(*)::int AS count FROM annotations')
  await until(notesThere, ([row]) => (row?.count ?? 0) >= 3)
  await campaign({ at, world, society, dice, journal, kills: 1, between: 1, deadline: Number.POSITIVE_INFINITY })
  const { kills, findings, last } = journal.end()
  expect(findings).toEqual([])
  expect(kills.length).toBeGreaterThanOrEqual(1)
  expect(last?.acknowledged).toBeGreaterThanOrEqual(3)

  await at.sql('DELETE FROM annotations WHERE id = (SELECT max(id) FROM annotations)')
  await society.lookAtEverything()
  expect(journal.end().findings).toContainEqual(expect.stringContaining('but is not there'))
})
