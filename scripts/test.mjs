// `npm test`: every check and test that a change needs; `npm run test:full`: also the slow ones. The last line is only the count. `npm test
// -- src/server/sync` runs the tests of a folder or file, without checks.
import { buildBrowserPart } from './lib/build.mjs'
import { runChecks } from './lib/checks.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { createProcesses, onInterrupt } from './lib/processes.mjs'
import { fail, say } from './lib/say.mjs'
import { runVitest } from './lib/vitest.mjs'

const processes = createProcesses()
onInterrupt(async () => {
  await processes.stopAll()
  // An interrupted run has proved nothing.
  process.exit(130)
}, processes.killAll)

/** Browser tests need the build; if it fails, that counts as one failure and they fail on their own. */
async function build() {
  try {
    await buildBrowserPart(processes)
    return { passed: 1, failed: 0 }
  } catch (error) {
    say(`FAILED  ${error.message}`)
    return { passed: 0, failed: 1 }
  }
}

const isFull = process.argv.includes('--full')
const chosen = process.argv.slice(2).filter((argument) => argument !== '--full')

try {
  await ensureInstalled(processes)
  const nothing = { passed: 0, failed: 0 }
  const [built, checked] = await Promise.all([build(), chosen.length > 0 ? nothing : runChecks(processes)])
  const tested = await runVitest(processes, chosen, isFull)
  const passed = built.passed + checked.passed + tested.passed
  const failed = built.failed + checked.failed + tested.failed
  say(`${passed} passed, ${failed} failed${tested.skipped > 0 ? `, ${tested.skipped} skipped` : ''}`)
  process.exitCode = failed > 0 ? 1 : 0
} catch (error) {
  fail(error)
}
