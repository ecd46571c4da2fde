import { parseArgs } from 'node:util'
import { grantAsked, type GrantAsked, machineEndpoints } from '../../contract/machine.ts'
import { grantPlan, refuseNothing } from '../billing/grant.ts'
import { billingJobs, defineBillingQueues } from '../billing/jobs.ts'
import { type Config, parseConfig } from '../config.ts'
import { systemClock } from '../platform/clock.ts'
import { askServer, throughServerOr } from '../platform/command-handshake.ts'
import { openQueue } from '../platform/queue.ts'
import { withStores } from '../stores/stores.ts'
import { type Env, help, runCommand } from './run.ts'

const usage = `Usage: npm run grant -- PERSON PLAN

  PERSON   the username or confirmed email address of an account
  PLAN     pro or agency grants that plan free of charge until you take it back; free takes it back

See docs/payment.md.`

function read(argv: readonly string[]): GrantAsked | undefined {
  const { values, positionals } = parseArgs({ args: [...argv], allowPositionals: true, options: { help } })
  if (values.help) return undefined
  if (positionals.length !== 2) throw new Error('Name an account and a plan')
  const asked = grantAsked.safeParse({ person: positionals[0], plan: positionals[1] })
  if (!asked.success) throw new Error(`${positionals.join(' ')}: the plan must be free, pro or agency`)
  return asked.data
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

const act = async (asked: GrantAsked, env: Env): Promise<string> => `${await grantAnywhere(parseConfig(env), asked)}\n`

/** `npm run grant`. @returns the exit code */
export const runGrant = (argv: readonly string[], env: Env): Promise<number> => runCommand({ usage, read, act }, argv, env)

if (import.meta.main) process.exitCode = await runGrant(process.argv.slice(2), process.env)
