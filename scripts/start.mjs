// `npm start`: everything a newcomer needs, in one command. Works before node_modules exists.
import { buildBrowserPart } from './lib/build.mjs'
import { startEmulators } from './lib/emulators.mjs'
import { isDemo, readEnvFile } from './lib/env.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { createProcesses, onInterrupt } from './lib/processes.mjs'
import { fail, Failure, say } from './lib/say.mjs'
import { startServer } from './lib/server.mjs'

const DEMO_LOGIN = 'Log in as demo with the password demo-password'

readEnvFile()
const processes = createProcesses()
onInterrupt(async () => {
  say('Stopping …')
  await processes.stopAll()
  say('Stopped.')
}, processes.killAll)

let isReady = false

/** @param {string} name @param {number | null} code @param {NodeJS.Signals | null} signal */
async function died(name, code, signal) {
  await processes.stopAll()
  // Processes that don't start say why themselves.
  if (!isReady && code !== null) fail(new Failure('Ranklark did not start.'))
  fail(new Failure(`${name} ended unexpectedly (${signal ?? `exit code ${code}`}); everything was stopped.`))
}

try {
  await ensureInstalled(processes)
  const [addresses] = await Promise.all([isDemo(process.env) ? startEmulators(processes, died) : {}, buildBrowserPart(processes)])
  const { ready } = startServer(processes, addresses, died)
  const { url, demo } = await ready
  isReady = true
  const { EMULATOR_SMTP_WEB_URL: mail, EMULATOR_SLACK_URL: slack, EMULATOR_SMS_URL: texts } = addresses
  if (mail) say(`Everything this demo sends stays on this machine: ${mail} (email), ${slack} (Slack) and ${texts} (SMS)`)
  say(`Ranklark is ready at ${url}`)
  if (demo) say(DEMO_LOGIN)
} catch (error) {
  if (!processes.isStopping()) {
    await processes.stopAll()
    fail(error)
  }
}
