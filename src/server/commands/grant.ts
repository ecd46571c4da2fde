import { parseArgs } from 'node:util'
import { grantAsked, type GrantAsked, machineEndpoints } from '../../contract/machine.ts'
import { grantPlan, refuseNothing } from '../billing/grant.ts'
import { billingJobs, defineBillingQueues } from '../billing/jobs.ts'
import { type Config, ConfigError, parseConfig } from '../config.ts'
import { messageOf } from '../common/errors.ts'
import { systemClock } from '../platform/clock.ts'
import { askServer, throughServerOr } from '../platform/hand-over.ts'
import { openQueue } from '../platform/queue.ts'
import { withStores } from '../stores/stores.ts'

const usage = `Usage: npm run grant -- PERSON PLAN

  PERSON   the username or confirmed email address of an account
  PLAN     pro or agency grants that plan free of charge until you take it back; free takes it back

See docs/payment.md.`

/** @throws Error; undefined if help was requested */
function readArguments(argv: readonly string[]): GrantAsked | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h' } },
    })
    if (values.help) return undefined
    if (positionals.length !== 2) throw new Error('Name an account and a plan')
    const asked = grantAsked.safeParse({ person: positionals[0], plan: positionals[1] })
    if (!asked.success) throw new Error(`${positionals.join(' ')}: the plan must be free, pro or agency`)
    return asked.data
  } catch (error) {
    throw new Error(`${messageOf(error)}\n\n${usage}`, { cause: error })
  }
}

const grantAnywhere = (config: Config, asked: GrantAsked): Promise<string> =>
  throughServerOr(
    config.dataDir,
    (server) => askServer(server, machineEndpoints.grant, asked),
    () => {
      // The stand-in for a demo's payments is part of `npm start`.
      if (config.demo && config.stripe === undefined)
        throw new Error("This is a demo: start it first. Plans can be granted only while it's running.")
      refuseNothing(config.offer)
      return grantHere(config, asked)
    },
  )

/** Follow-ups of a plan change wait in the queue for the next server. */
const grantHere = (config: Config, asked: GrantAsked): Promise<string> =>
  withStores(config, async ({ db, postgresUrl }, log) => {
    await using opened = new AsyncDisposableStack()
    const queue = await openQueue({ url: postgresUrl, log, worker: false })
    opened.defer(() => queue.close())
    await defineBillingQueues(queue)
    return await grantPlan({ db, announce: billingJobs(queue).announce, offer: config.offer, clock: systemClock }, asked)
  })

/** `npm run grant`. @returns the exit code */
export async function runGrant(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): Promise<number> {
  try {
    const asked = readArguments(argv)
    process.stdout.write(`${asked ? await grantAnywhere(parseConfig(env), asked) : usage}\n`)
    return 0
  } catch (error) {
    const prefix = error instanceof ConfigError ? 'Configuration: ' : ''
    process.stderr.write(`${prefix}${messageOf(error)}\n`)
    return 1
  }
}

if (import.meta.main) process.exitCode = await runGrant(process.argv.slice(2), process.env)
