// `npm run build`: builds the browser part into dist/web, whether or not its sources changed.
import { buildBrowserPart } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { createProcesses, onInterrupt } from './lib/processes.mjs'
import { fail, say } from './lib/say.mjs'

const processes = createProcesses()
onInterrupt(processes.stopAll, processes.killAll)
try {
  await ensureInstalled(processes)
  await buildBrowserPart(processes, true)
  say('The web app is in dist/web.')
} catch (error) {
  fail(error)
}
