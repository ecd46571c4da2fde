import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { node24, root, tools } from './paths.mjs'
import { sayWhile } from './say.mjs'

/** Sources of the browser part. Missing ones count as empty. */
const SOURCES = ['src/web', 'src/site', 'src/contract', 'src/core', 'vite.config.ts', 'package-lock.json', 'tsconfig.json']
const output = path.join(root, 'dist', 'web')
const stampFile = path.join(output, '.sources')

/**
 * Builds the browser part into dist/web, unless it was built from exactly the same sources.
 * @param {ReturnType<typeof import('./processes.mjs').createProcesses>} processes
 * @param {boolean} [force]
 */
export async function buildBrowserPart(processes, force = false) {
  const wanted = hashOf(SOURCES)
  if (!force && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return
  const done = sayWhile('Building the web app')
  try {
    await processes.run('Building the web app', node24, [tools.vite, 'build', '--logLevel', 'warn'], {
      env: { ...process.env, NODE_ENV: 'production' },
      quiet: true,
    })
  } finally {
    done()
  }
  mkdirSync(output, { recursive: true })
  writeFileSync(stampFile, wanted)
}

/** By content, so that neither a checkout's dates nor tests (which the browser never sees) trigger a build. @param {string[]} names */
function hashOf(names) {
  const hash = createHash('sha256')
  for (const name of names) {
    for (const file of filesOf(path.join(root, name)))
      hash.update(path.relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

/** @param {string} target @returns {string[]} */
function filesOf(target) {
  if (!existsSync(target)) return []
  let entries
  try {
    entries = readdirSync(target, { withFileTypes: true })
  } catch {
    return [target]
  }
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .filter((entry) => !/\.test\.tsx?$/.test(entry.name))
    .flatMap((entry) => (entry.isDirectory() ? filesOf(path.join(target, entry.name)) : [path.join(target, entry.name)]))
}
