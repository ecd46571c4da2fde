import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { node24, tools } from './paths.mjs'

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * Runs Vitest, whose own report goes to the terminal, and counts its tests.
 * @param {ReturnType<typeof import('./processes.mjs').createProcesses>} processes
 * @param {string[]} args passed on, such as `--project unit` or a file's name
 * @returns {Promise<Counts>}
 */
export async function runVitest(processes, args) {
  const directory = mkdtempSync(path.join(tmpdir(), 'ranklark-test-'))
  const report = path.join(directory, 'report.json')
  try {
    let succeeded = true
    await processes
      .run('Vitest', node24, [tools.vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...args], {
        env: { ...process.env, NODE_ENV: 'test', UV_THREADPOOL_SIZE: '12' },
      })
      .catch(() => (succeeded = false))
    return countsOf(report, succeeded)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/**
 * Something must count as failed when Vitest failed: a file that could not be loaded has no tests to count, and an error
 * outside of every test fails the run alone.
 * @param {string} report @param {boolean} succeeded @returns {Counts}
 */
function countsOf(report, succeeded) {
  let result
  try {
    result = JSON.parse(readFileSync(report, 'utf8'))
  } catch {
    return { passed: 0, failed: 1, skipped: 0 }
  }
  const unloaded = result.testResults.filter(
    (/** @type {any} */ file) =>
      file.status === 'failed' && !file.assertionResults.some((/** @type {any} */ test) => test.status === 'failed'),
  )
  const failed = result.numFailedTests + unloaded.length
  return {
    passed: result.numPassedTests,
    failed: failed === 0 && !succeeded ? 1 : failed,
    skipped: result.numPendingTests + (result.numTodoTests ?? 0),
  }
}
