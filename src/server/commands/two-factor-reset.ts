import { parseArgs } from 'node:util'
import { machineEndpoints, personAsked } from '../../contract/machine.ts'
import { resetTwoFactor } from '../accounts/service.ts'
import { type Config, parseConfig } from '../config.ts'
import { createMailer, defineMailQueue } from '../mail/mailer.ts'
import { systemClock } from '../platform/clock.ts'
import { askServer, throughServerOr } from '../platform/command-handshake.ts'
import { openQueue } from '../platform/queue.ts'
import { createVault, loadSecretKeys } from '../platform/secrets.ts'
import { withStores } from '../stores/stores.ts'
import { type Env, help, runCommand } from './run.ts'

const usage = `Usage: npm run two-factor:reset -- PERSON

  PERSON   the username or confirmed email address of an account

Removes two-factor authentication for somebody who lost their app and recovery codes. First make sure it's really them.`

function read(argv: readonly string[]): string | undefined {
  const { values, positionals } = parseArgs({ args: [...argv], allowPositionals: true, options: { help } })
  if (values.help) return undefined
  const asked = personAsked.safeParse({ person: positionals[0] })
  if (positionals.length !== 1 || !asked.success) throw new Error('Name the account whose second factor you want to reset')
  return asked.data.person
}

/** The email waits in the queue for the next server. */
const resetHere = (config: Config, person: string): Promise<string> =>
  withStores(config, async ({ db, postgresUrl }, log) => {
    await using opened = new AsyncDisposableStack()
    const queue = await openQueue({ url: postgresUrl, log, worker: false })
    opened.defer(() => queue.close())
    await defineMailQueue(queue)
    const { secretKey, secretKeysBefore: before, dataDir, mail } = config
    const vault = createVault(...(await loadSecretKeys({ secretKey, before, dataDir })))
    const baseUrl = () => config.baseUrl ?? 'http://localhost'
    const mailer = createMailer({ queue, vault, mail, baseUrl, clock: systemClock, log })
    return await resetTwoFactor({ db, mailer, clock: systemClock }, person)
  })

async function act(person: string, env: Env): Promise<string> {
  const config = parseConfig(env)
  const message = await throughServerOr(
    config.dataDir,
    (server) => askServer(server, machineEndpoints.resetTwoFactor, { person }),
    () => resetHere(config, person),
  )
  return `${message}\n`
}

/** `npm run two-factor:reset`. @returns the exit code */
export const runTwoFactorReset = (argv: readonly string[], env: Env): Promise<number> => runCommand({ usage, read, act }, argv, env)

if (import.meta.main) process.exitCode = await runTwoFactorReset(process.argv.slice(2), process.env)
