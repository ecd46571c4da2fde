// `npm run dev`: like `npm start`, with hot reload in the browser and a server restart when its code changes.
import { watch } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { startEmulators } from './lib/emulators.mjs'
import { isDemo, readEnvFile } from './lib/env.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { node24, root, tools } from './lib/paths.mjs'
import { createProcesses, onInterrupt } from './lib/processes.mjs'
import { fail, Failure, say } from './lib/say.mjs'
import { startServer } from './lib/server.mjs'

/** Milliseconds without a change before the server restarts: editors and checkouts write several files. */
const QUIET = 150
const WATCHED = ['src/server', 'src/core', 'src/contract']

readEnvFile()
const processes = createProcesses()
onInterrupt(processes.stopAll, processes.killAll)

/** @param {string} name @param {number | null} code @param {NodeJS.Signals | null} signal */
async function died(name, code, signal) {
  await processes.stopAll()
  fail(new Failure(`${name} ended unexpectedly (${signal ?? `exit code ${code}`}); everything was stopped.`))
}

try {
  await ensureInstalled(processes)
  const publicPort = process.env.PORT || '3000'
  const serverPort = await freePort()
  const addresses = isDemo(process.env) ? await startEmulators(processes, died) : {}
  const env = { ...addresses, PORT: String(serverPort), BASE_URL: process.env.BASE_URL || `http://localhost:${publicPort}` }
  const apiUrl = `http://127.0.0.1:${serverPort}`
  const vite = processes.start('Vite', node24, [tools.vite, '--port', publicPort, '--strictPort', '--clearScreen', 'false'], {
    env: { ...process.env, RANKLARK_API_URL: apiUrl },
  })
  vite.once('close', (code, signal) => processes.isStopping() || died('Vite', code, signal))
  await keepServerRunning(env)
  say(`Ranklark is ready at ${env.BASE_URL} (the server itself at ${apiUrl})`)
} catch (error) {
  if (!processes.isStopping()) {
    await processes.stopAll()
    fail(error)
  }
}

/** A server that fails while its code is being edited is restarted at the next change. @param {Record<string, string>} env */
async function keepServerRunning(env) {
  const launch = () =>
    startServer(processes, env, (_name, code) => {
      if (!restarting) say(`The server ended (exit code ${code}); waiting for a change.`)
    })
  let restarting = false
  let server = launch()
  /** @type {NodeJS.Timeout | undefined} */
  let timer

  const restart = async () => {
    if (restarting || processes.isStopping()) return
    restarting = true
    const { child } = server
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('close', resolve))
      child.kill('SIGTERM')
      await ended
    }
    restarting = false
    if (processes.isStopping()) return
    server = launch()
    void server.ready.then(() => say('The server was restarted.'))
  }

  for (const directory of WATCHED) {
    watch(path.join(root, directory), { recursive: true }, (_event, name) => {
      if (!name || !name.endsWith('.ts') || name.endsWith('.test.ts')) return
      clearTimeout(timer)
      timer = setTimeout(restart, QUIET)
    })
  }
  await server.ready
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
