import path from 'node:path'
import { dataDirectory, node24, root } from './paths.mjs'
import { Failure, say } from './say.mjs'

/** The stand-ins that a demo requires. */
const NEEDED = ['google', 'smtp', 'stripe', 'slack', 'sms', 'webhook']

/**
 * Starts the stand-ins for the outside world and waits for their addresses.
 * @param {ReturnType<typeof import('./processes.mjs').createProcesses>} processes
 * @param {(name: string, code: number
 * null, signal: NodeJS.Signals
 * null) => void} onDeath
 * @returns {Promise<Record<string, string>>} their addresses for the server's environment, under the names that each stand-in gives
 */
export function startEmulators(processes, onDeath) {
  return new Promise((resolve, reject) => {
    /** @type {Record<string, string>} */
    const addresses = {}
    const waitedFor = new Set(NEEDED)
    const child = processes.start('The stand-ins', node24, [path.join(root, 'emulators', 'main.ts'), '--stop-with-parent'], {
      env: { ...process.env, EMULATOR_STATE_DIR: process.env.EMULATOR_STATE_DIR ?? path.join(dataDirectory(process.env), 'emulators') },
      watchesStdin: true,
      onLine(line) {
        const started = standInOf(line)
        if (!started) return say(line)
        Object.assign(addresses, started.env)
        waitedFor.delete(started.name)
        if (waitedFor.size === 0) resolve(addresses)
      },
    })
    child.once('error', (error) => reject(new Failure(`The stand-ins could not be started: ${error.message}`)))
    child.once('close', (code, signal) => {
      if (!processes.isStopping()) onDeath('The stand-ins', code, signal)
    })
  })
}

/** @param {string} line @returns {{ name: string, env: Record<string, string> } | undefined} */
function standInOf(line) {
  try {
    const value = JSON.parse(line)
    return typeof value.name === 'string' && typeof value.env === 'object' ? value : undefined
  } catch {
    return undefined
  }
}
