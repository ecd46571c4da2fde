import path from 'node:path'
import { dataDirectory, node24, root } from './paths.mjs'
import { Failure, say } from './say.mjs'

/** The stand-ins a demo cannot do without. */
const NEEDED = ['google']

/**
 * Starts the stand-ins for the outside world and waits for their addresses.
 * @param {ReturnType<typeof import('./processes.mjs').createProcesses>} processes
 * @param {(name: string, code: number | null, signal: NodeJS.Signals | null) => void} onDeath
 * @returns {Promise<Record<string, string>>} `EMULATOR_GOOGLE_URL` and its like, for the server's environment
 */
export function startEmulators(processes, onDeath) {
  return new Promise((resolve, reject) => {
    /** @type {Record<string, string>} */
    const addresses = {}
    const child = processes.start('The stand-ins', node24, [path.join(root, 'emulators', 'main.ts'), '--stop-with-parent'], {
      env: { ...process.env, EMULATOR_STATE_DIR: process.env.EMULATOR_STATE_DIR ?? path.join(dataDirectory(process.env), 'emulators') },
      watchesStdin: true,
      onLine(line) {
        const started = addressOf(line)
        if (!started) return say(line)
        addresses[`EMULATOR_${started.name.toUpperCase()}_URL`] = started.url
        if (NEEDED.every((name) => `EMULATOR_${name.toUpperCase()}_URL` in addresses)) resolve(addresses)
      },
    })
    child.once('error', (error) => reject(new Failure(`The stand-ins could not be started: ${error.message}`)))
    child.once('close', (code, signal) => {
      if (!processes.isStopping()) onDeath('The stand-ins', code, signal)
    })
  })
}

/** @param {string} line */
function addressOf(line) {
  try {
    const value = JSON.parse(line)
    return typeof value.name === 'string' && typeof value.url === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
