import { readFileSync } from 'node:fs'
import path from 'node:path'
import { node24, root } from './paths.mjs'
import { Failure, say } from './say.mjs'

/**
 * How the server's process is started. ClickHouse's engine uses Node's worker threads, one per statement, of which Node has four; fewer
 * malloc arenas and a smaller nursery keep memory usage down (docs/decisions/0010).
 */
const { env: SERVER_ENV, flags: SERVER_FLAGS } = JSON.parse(readFileSync(path.join(root, 'scripts', 'server-process.json'), 'utf8'))

/**
 * @typedef {{ type: 'ready', url: string, demo: boolean }} Ready
 */

/**
 * Starts the server and waits until it reports ready; its progress lines are shown.
 * @param {ReturnType<typeof import('./processes.mjs').createProcesses>} processes
 * @param {Record<string, string>} env added to our own
 * @param {(name: string, code: number
 * null, signal: NodeJS.Signals
 * null) => void} onDeath
 * @returns {{ child: import('node:child_process').ChildProcess, ready: Promise<Ready> }}
 */
export function startServer(processes, env, onDeath) {
  const child = processes.start('The server', node24, [...SERVER_FLAGS, path.join(root, 'src', 'server', 'main.ts')], {
    env: { ...SERVER_ENV, ...process.env, ...env },
    ipc: true,
  })
  const ready = new Promise((resolve, reject) => {
    child.on('message', (/** @type {any} */ message) => {
      if (message?.type === 'progress') say(String(message.text))
      if (message?.type === 'ready') resolve(message)
    })
    child.once('error', (error) => reject(new Failure(`The server could not be started: ${error.message}`)))
    child.once('close', (code, signal) => {
      if (!processes.isStopping()) onDeath('The server', code, signal)
    })
  })
  return { child, ready }
}
