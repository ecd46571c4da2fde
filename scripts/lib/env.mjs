import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './paths.mjs'

/** Adds the variables of `.env` in the repository's root to `process.env`; existing ones win. */
export function readEnvFile() {
  let text
  try {
    text = readFileSync(path.join(root, '.env'), 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return
    throw error
  }
  for (const [name, value] of parseEnv(text)) process.env[name] ??= value
}

/**
 * `NAME=value` lines; `#` comments, an optional `export`, and quotes around values that contain spaces or `#`.
 * @param {string} text
 */
export function parseEnv(text) {
  const pairs = []
  for (const line of text.split(/\r?\n/)) {
    const match = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^#]*))/.exec(line)
    if (!match) continue
    const [, name, double, single, bare] = match
    pairs.push([name, double?.replaceAll('\\n', '\n').replaceAll('\\"', '"') ?? single ?? bare.trim()])
  }
  return pairs
}

/** Whether the server will run as a demo, as `src/server/config.ts` decides it. @param {NodeJS.ProcessEnv} env */
export function isDemo(env) {
  if (env.DEMO) return ['1', 'true', 'public'].includes(env.DEMO.toLowerCase())
  return !env.GOOGLE_CLIENT_ID
}
