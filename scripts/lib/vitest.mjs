import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { node24, tools } from './paths.mjs'
import { say } from './say.mjs'
import { searchLogs } from './secrets-in-logs.mjs'

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
  const logs = path.join(directory, 'logs')
  mkdirSync(logs)
  try {
    let succeeded = true
    await processes
      .run('Vitest', node24, [tools.vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...args], {
        env: { ...process.env, NODE_ENV: 'test', UV_THREADPOOL_SIZE: '12', GATHERED_LOGS: logs },
      })
      .catch(() => (succeeded = false))
    return withSearch(countsOf(report, succeeded), searchLogs(logs))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/**
 * One check more: nothing that the servers of the tests logged is a secret. A run in which no server logged anything has
 * nothing to check.
 * @param {Counts} counts @param {ReturnType<typeof searchLogs>} search @returns {Counts}
 */
function withSearch(counts, { logs, lines, secrets, found }) {
  if (logs === 0) return counts
  const searched = `${lines} lines of ${logs} logs searched for ${secrets} secrets`
  if (found.length === 0) {
    say(`passed  No secrets in logs (${searched})`)
    return { ...counts, passed: counts.passed + 1 }
  }
  say(`FAILED  No secrets in logs (${searched})\n${found.join('\n')}`)
  return { ...counts, failed: counts.failed + 1 }
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
  // Once more by name and reason: after an hour's output nobody finds them otherwise.
  for (const file of result.testResults) for (const line of failuresOf(file)) say(line)
  const failed = result.numFailedTests + unloaded.length
  return {
    passed: result.numPassedTests,
    failed: failed === 0 && !succeeded ? 1 : failed,
    skipped: result.numPendingTests + (result.numTodoTests ?? 0),
  }
}

/** A line for each test of a file that failed. @param {any} file as Vitest's JSON reporter tells of it @returns {string[]} */
function failuresOf(file) {
  const name = path.relative(process.cwd(), file.name)
  const failed = file.assertionResults.filter((/** @type {any} */ test) => test.status === 'failed')
  if (failed.length === 0) return file.status === 'failed' ? [`FAILED  ${name}: ${firstLine(file.message)}`] : []
  return failed.map((/** @type {any} */ test) => `FAILED  ${name} > ${test.fullName}: ${firstLine(test.failureMessages[0])}`)
}

/** @param {string | undefined} text */
const firstLine = (text = '') => stripVTControlCharacters(text).split('\n', 1)[0]?.slice(0, 200) ?? ''
