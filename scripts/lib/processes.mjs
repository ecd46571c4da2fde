import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import path from 'node:path'
import { node24, nodeModules, root } from './paths.mjs'
import { Failure } from './say.mjs'

/** Milliseconds a process may take to exit before it is killed: more than requests (25 s), jobs (10 s) and PostgreSQL may take. */
const PATIENCE = 60_000

/** Node's compile cache: saves a third of the CPU time of each server start. */
const compileCache = { NODE_COMPILE_CACHE: path.join(nodeModules, '.cache', 'node') }

/**
 * @typedef {object} Options
 * @property {NodeJS.ProcessEnv} [env]
 * @property {string} [cwd]
 * @property {boolean} [ipc] a message channel, which closes if we die, so that the child notices
 * @property {boolean} [watchesStdin] keeps its standard input open, for the same purpose
 * @property {(line: string) => void} [onLine] receives standard output's lines instead of the terminal
 * @property {boolean} [quiet] output is kept for the failure's message instead of shown
 */

/**
 * Keeps track of the processes we start, so that all of them end with us, in reverse order. Each leads its own process group: Ctrl-C
 * reaches only us, and we stop the others cleanly; killing a process also kills its children.
 */
export function createProcesses() {
  /** @type {{ name: string, child: import('node:child_process').ChildProcess, ended: Promise<void> }[]} */
  const running = []
  let stopping = false

  /** @param {string} name @param {string} command @param {string[]} args @param {Options} [options] */
  function start(name, command, args, options = {}) {
    const output = options.onLine || options.quiet ? 'pipe' : 'inherit'
    const child = spawn(command, args, {
      cwd: options.cwd ?? root,
      env: { ...(command === node24 && compileCache), ...(options.env ?? process.env) },
      stdio: [
        options.watchesStdin ? 'pipe' : 'ignore',
        output,
        options.quiet ? 'pipe' : 'inherit',
        ...(options.ipc ? /** @type {const} */ (['ipc']) : []),
      ],
      detached: process.platform !== 'win32',
    })
    child.stdin?.on('error', () => {})
    if (options.onLine && child.stdout) createInterface({ input: child.stdout }).on('line', options.onLine)
    const entry = { name, child, ended: new Promise((resolve) => child.once('close', () => resolve()).once('error', () => resolve())) }
    running.push(entry)
    void entry.ended.then(() => running.splice(running.indexOf(entry), 1))
    return child
  }

  return {
    start,
    isStopping: () => stopping,

    /**
     * Runs a command to its end. Never settles once everything is being stopped.
     * @param {string} name @param {string} command @param {string[]} args @param {Options} [options] @returns {Promise<string>} its output
     * if `quiet`
     */
    run(name, command, args, options = {}) {
      return new Promise((resolve, reject) => {
        const child = start(name, command, args, options)
        let output = ''
        if (options.quiet)
          for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text))
        child.once('error', (error) => !stopping && reject(new Failure(`${name} could not be started: ${error.message}`)))
        child.once('close', (code, signal) => {
          if (stopping) return
          if (code === 0) resolve(output)
          else
            reject(
              Object.assign(new Failure(`${name} failed (${signal ?? `exit code ${code}`})${output ? `:\n${output.trimEnd()}` : ''}`), {
                output,
              }),
            )
        })
      })
    },

    async stopAll() {
      stopping = true
      for (const { child, ended } of running.toReversed()) {
        const impatience = setTimeout(() => signalGroup(child, 'SIGKILL'), PATIENCE)
        child.kill('SIGTERM')
        await ended
        clearTimeout(impatience)
      }
    },

    killAll() {
      stopping = true
      for (const { child } of running) signalGroup(child, 'SIGKILL')
    },
  }
}

/** To the whole group, if there is one. @param {import('node:child_process').ChildProcess} child @param {NodeJS.Signals} name */
function signalGroup(child, name) {
  if (child.pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, name)
  } catch {
    child.kill(name)
  }
}

/** Milliseconds: one Ctrl-C reaches us twice, from the terminal and through npm. */
const SAME_INTERRUPT = 700

/**
 * Ctrl-C or SIGTERM: `stop`, then exit code 0. A second one: `force`, exit code 130.
 * @param {() => Promise<void>} stop @param {() => void} force
 */
export function onInterrupt(stop, force) {
  let since = 0
  const handle = () => {
    if (since > 0) {
      if (Date.now() - since < SAME_INTERRUPT) return
      force()
      process.exit(130)
    }
    since = Date.now()
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGINT', handle).on('SIGTERM', handle).on('SIGHUP', handle)
}
