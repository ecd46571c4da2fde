import { ownersLockNumbers } from '../src/server/platform/postgres.ts'
import { until } from '../test/support/until.ts'
import { type Activity, momentIn, type Own, type Scene } from './activities.ts'
import { type ImportCommand, makeFile, startImport } from './imports.ts'
import type { Inhabitant } from './people.ts'

/** The command has to start first, and perhaps the stores too. */
const mostToBegin = 15_000
/** Most kills come while rows are read and stored, some before. */
const inTheMiddle = 0.75
/** Compared with all other victims, which together weigh about as much. */
const weight = 10

/** Whether somebody's file is being read right now: the lock of imports into their property is held. */
async function isImporting({ at }: Scene, { account, imports }: Inhabitant): Promise<boolean> {
  const [row] = await at.sql<{ held: boolean }>(
    `SELECT NOT pg_try_advisory_xact_lock(${ownersLockNumbers('id', '$2')}) AS held FROM users WHERE email = $1`,
    [account, imports],
  )
  return row?.held === true
}

/** Starts the command, and waits until it is working, or for some moment before. */
async function begin(scene: Scene): Promise<ImportCommand> {
  const { people, files, at, dice } = scene
  const person = dice.pick(people)
  const file = makeFile(person, files.length, 'command')
  files.push(file)
  const command = await startImport(person, at, file)
  if (dice.chance(inTheMiddle)) {
    const reads = until(
      () => isImporting(scene, person),
      (held) => held,
      mostToBegin,
    ).catch(() => {})
    await Promise.race([reads, command.ended])
    await momentIn(dice, 700)
  } else await momentIn(dice, 1_200)
  return command
}

const own = (command: ImportCommand, startServers: Own['startServers']): Own => ({
  victim: { name: 'npm run import', weight, strike: async () => command.kill() },
  startServers,
})

/** The command hands a file to the running server; if there is none, it writes to the installation's stores. */
export const importCommand: Activity = {
  name: 'import command',
  weight: 2,
  begin: async (scene) => own(await begin(scene), null),
}

/** The same while the installation's only server is stopped: the command opens the stores itself. */
export const importAlone: Activity = {
  name: 'import command alone',
  weight: 2,
  async begin(scene) {
    const { services } = scene.at
    const startServers = (): void => services.forEach((service) => service.start())
    try {
      for (const service of services) await service.stop()
      return own(await begin(scene), startServers)
    } catch (error) {
      startServers()
      throw error
    }
  },
}
