// `npm run test:watch`: runs the tests of what changed since the last commit, and again whenever a file is saved.
import { buildBrowserPart } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { node24, tools } from './lib/paths.mjs'
import { createProcesses, onInterrupt } from './lib/processes.mjs'
import { fail } from './lib/say.mjs'

const processes = createProcesses()
onInterrupt(processes.stopAll, processes.killAll)
try {
  await ensureInstalled(processes)
  await buildBrowserPart(processes)
  const env = { ...process.env, NODE_ENV: 'test', UV_THREADPOOL_SIZE: '12' }
  await processes.run('Vitest', node24, [tools.vitest, 'watch', '--changed', ...process.argv.slice(2)], { env })
} catch (error) {
  fail(error)
}
