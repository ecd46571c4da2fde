import { setTimeout as sleep } from 'node:timers/promises'
import { activities, type Activity, type Own } from './activities.ts'
import { importAlone, importCommand } from './commands.ts'
import type { Dice } from './dice.ts'
import { back, type Installation, type Victim } from './installation.ts'
import type { Journal } from './journal.ts'
import type { Society } from './society.ts'
import type { StandIns } from './stand-ins.ts'

export type CampaignOptions = {
  at: Installation
  world: StandIns
  society: Society
  dice: Dice
  journal: Journal
  kills: number
  /** Kills between two full checks. */
  between: number
  /** No kill after this time (milliseconds since 1970). */
  deadline: number
}

/** Percentage of cases in which a Ranklark process is killed again while it starts. */
const againShare = 0.25

/** Kills one process after another while people work, and checks the outcome. */
export async function campaign(options: CampaignOptions): Promise<void> {
  const { at, society, dice, journal, kills, between, deadline } = options
  const all = [...activities, importCommand, ...(at.services.length === 1 ? [importAlone] : [])]
  const goesOn = (): boolean => journal.kills() < kills && Date.now() < deadline && journal.mayGoOn()
  let looked = 0
  society.beBusy()
  while (goesOn()) {
    await journal.noting(async () => {
      await strikeDuring(dice.weighted(all.map((each) => [each, each.weight] as const)), options)
    })
    if (journal.kills() - looked < between) continue
    looked = journal.kills()
    await journal.noting(() => society.lookAtEverything())
    society.beBusy()
  }
  await journal.noting(() => society.lookAtEverything())
}

/** Kills something in the middle of an activity, and checks what is visible immediately. */
export async function strikeDuring(activity: Activity, { at, world, society, dice, journal }: StrikeDuringOptions): Promise<void> {
  const own = (await activity.begin({ at, world, dice, people: society.people, files: society.files })) ?? null
  await society.whileBroken(() => strike({ at, dice, journal, activity: activity.name, own }))
  await society.glance()
}

type StrikeDuringOptions = Pick<CampaignOptions, 'at' | 'world' | 'society' | 'dice' | 'journal'>
type StrikeOptions = Pick<CampaignOptions, 'at' | 'dice' | 'journal'> & { activity: string; own: Own | null }

/** Kills one of the victims, perhaps a second process soon after, and waits until everything has recovered. */
async function strike({ at, dice, journal, activity, own }: StrikeOptions): Promise<void> {
  const isStopped = Boolean(own?.startServers)
  const running = isStopped ? [] : await runningJobs(at)
  const victim = dice.weighted(victimsOf(at, own).map((each) => [each, each.weight] as const))
  const begun = performance.now()
  const wasThere = await victim.strike(dice)
  if (wasThere) journal.killed({ victim: victim.name, activity, running })
  own?.startServers?.()
  // A dead command leaves nothing that has to recover.
  const comesBack = wasThere && (isStopped || victim !== own?.victim)
  if (comesBack && dice.chance(againShare)) {
    await sleep(dice.whole(100, 4_000))
    const service = dice.pick(at.services)
    if (service.kill()) journal.killed({ victim: service.name.replace(/-\d$/, ''), activity: 'restart', running: [] })
  }
  // The supervisor notices the end first.
  await sleep(50)
  await back(at)
  if (comesBack) journal.cameBack(performance.now() - begun)
}

/** While the servers are stopped, only the command and the PostgreSQL that it started are running. */
function victimsOf({ victims }: Installation, own: Own | null): readonly Victim[] {
  if (!own) return victims
  return [own.victim, ...(own.startServers ? victims.filter(({ name }) => name === 'PostgreSQL') : victims)]
}

/** What the queue is doing right now. */
async function runningJobs({ sql }: Installation): Promise<string[]> {
  const rows = await sql<{ name: string }>("SELECT DISTINCT name FROM jobs.job WHERE state = 'active' ORDER BY name")
  return rows.map(({ name }) => name)
}
