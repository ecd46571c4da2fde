// `npm run check`: only the static checks.
import { runChecks } from './lib/checks.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { createProcesses, onInterrupt } from './lib/processes.mjs'
import { fail, say } from './lib/say.mjs'

const processes = createProcesses()
onInterrupt(processes.stopAll, processes.killAll)
try {
  await ensureInstalled(processes)
  const { passed, failed } = await runChecks(processes)
  say(`${passed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
} catch (error) {
  fail(error)
}
