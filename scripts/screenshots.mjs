// `npm run screenshots`: takes the pictures of README.md anew, of the product as it is.
import { fileURLToPath } from 'node:url'
import { buildBrowserPart } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { node24 } from './lib/paths.mjs'
import { createProcesses, onInterrupt } from './lib/processes.mjs'
import { fail } from './lib/say.mjs'

const camera = fileURLToPath(new URL('../test/support/screenshots.ts', import.meta.url))
const processes = createProcesses()
onInterrupt(async () => {
  await processes.stopAll()
  process.exit(130)
}, processes.killAll)

try {
  await ensureInstalled(processes)
  await buildBrowserPart(processes)
  await processes.run('Taking the pictures', node24, ['--no-warnings', camera], {
    env: { ...process.env, UV_THREADPOOL_SIZE: '12' },
  })
} catch (error) {
  fail(error)
}
