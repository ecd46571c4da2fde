// `npm run emulators`: only the stand-ins; prints each one's address as a JSON line on standard output.
import path from 'node:path'
import { readEnvFile } from './lib/env.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { node24, root } from './lib/paths.mjs'
import { createProcesses, onInterrupt } from './lib/processes.mjs'
import { fail } from './lib/say.mjs'

readEnvFile()
const processes = createProcesses()
onInterrupt(processes.stopAll, processes.killAll)
try {
  await ensureInstalled(processes)
  await processes.run('The stand-ins', node24, [path.join(root, 'emulators', 'main.ts'), '--stop-with-parent', ...process.argv.slice(2)], {
    watchesStdin: true,
  })
} catch (error) {
  fail(error)
}
