import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { node24, tools } from './paths.mjs'
import { say } from './say.mjs'
import { searchLogs } from './secrets-in-logs.mjs'

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */
/** @typedef {any} TestFile in the format of Vitest's JSON reporter */

/** How many of the slowest files are listed at the end. */
const slowestNamed = 10

/**
 * Runs Vitest, whose own report goes to the terminal, and counts its tests.
 * @param {ReturnType<typeof import('./processes.mjs').createProcesses>} processes
 * @param {string[]} args passed on, such as `--project pure`, a folder or a file's name
 * @param {boolean} isFull including the slow ones
 * @returns {Promise<Counts>}
 */
export async function runVitest(processes, args, isFull) {
  const directory = mkdtempSync(path.join(tmpdir(), 'ranklark-test-'))
  const report = path.join(directory, 'report.json')
  const logs = path.join(directory, 'logs')
  mkdirSync(logs)
  let succeeded = true
  try {
    await processes
      .run('Vitest', node24, [tools.vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...args], {
        env: { ...process.env, NODE_ENV: 'test', UV_THREADPOOL_SIZE: '12', GATHERED_LOGS: logs, ...(isFull && { TEST_FULL: '1' }) },
      })
      .catch(() => (succeeded = false))
    const files = filesOf(report)
    say(`slowest  ${slowest(files).join('\n         ')}`)
    // Repeated with name and reason, which nobody finds in minutes of output.
    for (const line of files.flatMap(failuresOf)) say(`FAILED  ${line}`)
    return withSearch(countsOf(files, succeeded, isFull), searchLogs(logs))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** No files if there is no report. @param {string} report @returns {TestFile[]} */
function filesOf(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8')).testResults
  } catch {
    return []
  }
}

/** The slowest files, with their seconds. @param {TestFile[]} files @returns {string[]} */
function slowest(files) {
  return files
    .map((file) => ({ name: nameOf(file), seconds: (file.endTime - file.startTime) / 1000 }))
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, slowestNamed)
    .map(({ name, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${name}`)
}

/**
 * One more check: the tests' servers logged no secrets. If no server logged anything, there is nothing to check.
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
 * If Vitest failed, something must count as failed: a file that couldn't be loaded has no tests to count, and an error outside of every
 * test fails only the run. Tests left to the full run don't count as skipped.
 * @param {TestFile[]} files @param {boolean} succeeded @param {boolean} isFull @returns {Counts}
 */
function countsOf(files, succeeded, isFull) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const file of files) {
    for (const { status, tags } of file.assertionResults) {
      if (status === 'passed' || status === 'failed') counts[status] += 1
      else if (isFull || !tags.includes('full')) counts.skipped += 1
    }
    if (isFailed(file) && failedTestsOf(file).length === 0) counts.failed += 1
  }
  return counts.failed === 0 && !succeeded ? { ...counts, failed: 1 } : counts
}

/** @param {TestFile} file */
const isFailed = (file) => file.status === 'failed'
/** @param {TestFile} file */
const nameOf = (file) => path.relative(process.cwd(), file.name)
/** @param {TestFile} file @returns {any[]} */
const failedTestsOf = (file) => file.assertionResults.filter((/** @type {any} */ test) => test.status === 'failed')

/** A file's failures and their reasons, one per line. @param {TestFile} file @returns {string[]} */
function failuresOf(file) {
  const failed = failedTestsOf(file)
  if (failed.length === 0) return isFailed(file) ? [`${nameOf(file)}: ${firstLine(file.message)}`] : []
  return failed.map((test) => `${nameOf(file)} > ${test.fullName}: ${firstLine(test.failureMessages[0])}`)
}

/** @param {string | undefined} text */
const firstLine = (text = '') => stripVTControlCharacters(text).split('\n', 1)[0]?.slice(0, 200) ?? ''
