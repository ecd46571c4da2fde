import { machineEndpoints } from '../../contract/machine.ts'
import { parseConfig } from '../config.ts'
import { removeDemo } from '../demo/demo.ts'
import { systemClock } from '../platform/clock.ts'
import { createLog } from '../platform/log.ts'
import { serverOn } from '../platform/command-handshake.ts'
import { openStores } from '../stores/stores.ts'

/** `npm run demo:reset`: the demo account as at the first start, whether or not the server runs. */
async function main(): Promise<string> {
  const config = parseConfig(process.env)
  const server = await serverOn(config.dataDir)
  if (server) {
    const { method, path } = machineEndpoints.resetDemo
    const answer = await fetch(server.url + path, {
      method,
      headers: { authorization: `Bearer ${server.token}` },
    })
    if (answer.ok) return 'The demo account has been reset; its data is being imported again.'
    throw new Error(
      answer.status === 404
        ? 'This server is not running as a demo. To delete a leftover demo account, stop the server first.'
        : `The server responded with ${answer.status}.`,
    )
  }
  const stores = await openStores(config, createLog('error', true), (error) => {
    throw error
  })
  try {
    if (!(await removeDemo(stores, systemClock))) return "There's no demo account here: nothing was changed."
  } finally {
    await stores.close()
  }
  return config.demo ? 'The demo account was removed; the next `npm start` creates it again.' : 'The demo account was removed.'
}

main().then(
  (text) => process.stdout.write(`${text}\n`),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  },
)
