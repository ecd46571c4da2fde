import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../test/support/until.ts'
import { activities } from '../activities.ts'
import { importCommand } from '../commands.ts'
import { back } from '../installation.ts'
import type { SplitInstallation } from '../split.ts'
import type { Stage } from './stage.ts'

type SplitStage = Stage<SplitInstallation>

const lastingMs = 15_000
const noticeMs = 20_000
/** Each way, for all traffic. */
const slowMs = 150

/** A store is down: the server reports it, and is ready again when the store is, without anybody's help. */
export async function storesRefused(stage: SplitStage): Promise<void> {
  const { at } = stage
  await awayAndBack(stage, 'PostgreSQL refusing connections', { begin: () => at.postgres.refuse(), end: () => at.postgres.accept() })
  await awayAndBack(stage, 'ClickHouse refusing connections', {
    begin: () => at.clickhouse.fail({ kind: 'refuse' }),
    end: () => at.clickhouse.fail({ kind: 'none' }),
  })
}

/** ClickHouse is killed in the middle of everything, and later restarted with what it had stored. */
export async function clickhouseKilled(stage: SplitStage): Promise<void> {
  const { at, journal } = stage
  await awayAndBack(stage, 'ClickHouse killed and kept down', {
    async begin() {
      if (await at.clickhouse.kill()) journal.killed({ victim: 'ClickHouse', activity: 'everything at once', running: [] })
      else journal.found('ClickHouse was not running when it was supposed to be killed')
    },
    end: () => at.clickhouse.startAgain(),
  })
}

/** PostgreSQL is stopped cleanly and restarted, as in an upgrade. */
export async function postgresRestarted(stage: SplitStage): Promise<void> {
  const { at, journal, society } = stage
  const starts = startsOf(at)
  await workBegins(stage)
  await society.whileBroken(async () => {
    const begun = performance.now()
    at.postgres.restart()
    await sleep(500)
    await back(at)
    journal.cameBack(performance.now() - begun)
  })
  await society.lookAtEverything()
  journal.note(`PostgreSQL restarted: ${restarts(at, starts)}.`)
}

/** Slow stores: everything takes longer, and nothing else happens. */
export async function storesSlow(stage: SplitStage): Promise<void> {
  const { at, journal } = stage
  await late(stage, `PostgreSQL slow (${slowMs} ms each way)`, {
    begin: async () => at.postgres.delay(slowMs),
    end: async () => at.postgres.delay(0),
  })
  await late(stage, 'ClickHouse slow (500 ms each statement)', {
    begin: () => at.clickhouse.fail({ kind: 'delay', ms: 500 }),
    end: () => at.clickhouse.fail({ kind: 'none' }),
  })
  for (const service of at.services) if (!service.isReady()) journal.found(`${service.name} did not survive slow stores`)
}

type Fault = { begin: () => Promise<void>; end: () => Promise<void> }

async function awayAndBack(stage: SplitStage, name: string, { begin, end }: Fault): Promise<void> {
  const { at, journal, society } = stage
  const starts = startsOf(at)
  await workBegins(stage)
  await society.whileBroken(async () => {
    const begun = performance.now()
    await begin()
    await until(
      () => readiness(at.url),
      (status) => status === 503,
      noticeMs,
    ).catch(() => journal.found(`${name}: /readyz did not say 503 within ${noticeMs / 1000} s`))
    const noticed = Math.round(performance.now() - begun)
    await sleep(Math.max(0, lastingMs - noticed))
    await end()
    const ended = performance.now()
    await back(at)
    const backMs = performance.now() - ended
    journal.cameBack(backMs)
    journal.note(
      `${name} for ${lastingMs / 1000} s: /readyz said 503 after ${noticed} ms, and 200 ${Math.round(backMs)} ms after the end; ${restarts(at, starts)}.`,
    )
  })
  await society.glance()
  await society.lookAtEverything()
}

async function late(stage: SplitStage, name: string, { begin, end }: Fault): Promise<void> {
  const { at, journal, society } = stage
  const starts = startsOf(at)
  await begin()
  await workBegins(stage)
  const asked = performance.now()
  const status = await readiness(at.url)
  const answered = Math.round(performance.now() - asked)
  if (status !== 200) journal.found(`${name}: /readyz said ${status}`)
  await sleep(lastingMs)
  await end()
  await society.lookAtEverything()
  journal.note(`${name} for ${lastingMs / 1000} s: /readyz said ${status} after ${answered} ms; ${restarts(at, starts)}.`)
}

/** People write, and properties are synced, evaluated, alerted about and imported. */
async function workBegins(stage: SplitStage): Promise<void> {
  stage.society.beBusy()
  for (const activity of [...activities, importCommand]) await activity.begin(stage)
}

const readiness = (url: string): Promise<number> =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(30_000) }).then(
    ({ status }) => status,
    () => 0,
  )

const startsOf = (at: SplitInstallation): number => at.services.reduce((sum, service) => sum + service.starts(), 0)
function restarts(at: SplitInstallation, before: number): string {
  const times = startsOf(at) - before
  return times === 0 ? 'no process had to be restarted' : `processes were restarted ${times} times`
}
