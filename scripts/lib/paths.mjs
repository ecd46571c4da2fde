import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository's root, wherever the command was started. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '')
export const nodeModules = path.join(root, 'node_modules')

/** Node 24, from the `node` development dependency. */
export const node24 = path.join(nodeModules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

/** The command line of a JavaScript tool, to be run by Node 24. */
export const tools = {
  vite: path.join(nodeModules, 'vite', 'bin', 'vite.js'),
  vitest: path.join(nodeModules, 'vitest', 'vitest.mjs'),
  tsc: path.join(nodeModules, 'typescript', 'bin', 'tsc'),
  oxlint: path.join(nodeModules, 'oxlint', 'bin', 'oxlint'),
  oxfmt: path.join(nodeModules, 'oxfmt', 'bin', 'oxfmt'),
  knip: path.join(nodeModules, 'knip', 'bin', 'knip.js'),
}

/** @param {NodeJS.ProcessEnv} env */
export function dataDirectory(env) {
  return path.resolve(root, env.DATA_DIR || 'data')
}
