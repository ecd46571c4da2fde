import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { root } from './support.ts'

let built: Promise<unknown> | null = null

/** The browser part in dist/web, built from the current sources; built once for all callers. */
export async function buildWeb(): Promise<void> {
  built ??= promisify(execFile)('npm', ['run', '--silent', 'build'], { cwd: root })
  await built
}
