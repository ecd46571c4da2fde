// `npm run screenshots`: retakes the pictures of README.md and the landing page from the current product; followed by prefixes of file
// names (`npm run screenshots -- reports`), only those in docs/screenshots.
import { fileURLToPath } from 'node:url'
import { buildBrowserPart } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { node24 } from './lib/paths.mjs'
import { createProcesses, onInterrupt } from './lib/processes.mjs'
import { fail } from './lib/say.mjs'

const cameras = [new URL('../test/support/screenshots.ts', import.meta.url), new URL('../test/support/site-pictures.ts', import.meta.url)]
const asked = process.argv.slice(2)
const processes = createProcesses()
onInterrupt(async () => {
  await processes.stopAll()
  process.exit(130)
}, processes.killAll)

try {
  await ensureInstalled(processes)
  await buildBrowserPart(processes)
  // Each in its own process, since a process has a single ClickHouse data directory.
  for (const camera of asked.length === 0 ? cameras : cameras.slice(0, 1)) {
    await processes.run('Taking screenshots', node24, ['--no-warnings', fileURLToPath(camera), ...asked], {
      env: { ...process.env, UV_THREADPOOL_SIZE: '12' },
    })
  }
} catch (error) {
  fail(error)
}
