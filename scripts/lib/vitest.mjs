import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { node24, tools } from './paths.mjs'
import { say } from './say.mjs'
import { searchLogs } from './secrets-in-logs.mjs'

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */
/** @typedef {any} TestFile as Vitest's JSON reporter tells of one */

/** When more files than these fail, it is not for chance, and nothing is tried again. */
const mostTriedAgain = 5

/**
 * Runs Vitest, whose own report goes to the terminal, and counts its tests. A file that failed is tried once more, by
 * itself: hundreds of servers share two cores here, and a test may run out of patience for what others do. Which ones
 * needed that is said by name at the end, for each of them is a test to mend, or a race of the product.
 * @param {ReturnType<typeof import('./processes.mjs').createProcesses>} processes
 * @param {string[]} args passed on, such as `--project unit` or a file's name
 * @returns {Promise<Counts>}
 */
export async function runVitest(processes, args) {
  const directory = mkdtempSync(path.join(tmpdir(), 'ranklark-test-'))
  const logs = path.join(directory, 'logs')
  mkdirSync(logs)
  const run = (/** @type {string} */ name, /** @type {string[]} */ wanted) =>
    runOnce(processes, { report: path.join(directory, `${name}.json`), logs, args: wanted })
  try {
    const first = await run('first', args)
    const again = first.files.filter(isFailed)
    const isTriedAgain = again.length > 0 && again.length <= mostTriedAgain
    const second = isTriedAgain ? await run('second', again.map(nameOf)) : { files: [], succeeded: first.succeeded }
    const files = [...new Map([...first.files, ...second.files].map((file) => [file.name, file])).values()]
    // Once more by name and reason: after an hour's output nobody finds them otherwise.
    if (isTriedAgain) for (const line of again.flatMap(failuresOf)) say(`tried again  ${line}`)
    for (const line of files.flatMap(failuresOf)) say(`FAILED  ${line}`)
    return withSearch(countsOf(files, second.succeeded), searchLogs(logs))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/**
 * @param {ReturnType<typeof import('./processes.mjs').createProcesses>} processes
 * @param {{ report: string, logs: string, args: string[] }} wanted
 * @returns {Promise<{ files: TestFile[], succeeded: boolean }>} no files when there is no report
 */
async function runOnce(processes, { report, logs, args }) {
  let succeeded = true
  await processes
    .run('Vitest', node24, [tools.vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...args], {
      env: { ...process.env, NODE_ENV: 'test', UV_THREADPOOL_SIZE: '12', GATHERED_LOGS: logs },
    })
    .catch(() => (succeeded = false))
  try {
    return { files: JSON.parse(readFileSync(report, 'utf8')).testResults, succeeded }
  } catch {
    return { files: [], succeeded: false }
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
 * @param {TestFile[]} files @param {boolean} succeeded @returns {Counts}
 */
function countsOf(files, succeeded) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const file of files) {
    for (const { status } of file.assertionResults) counts[status === 'passed' || status === 'failed' ? status : 'skipped'] += 1
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

/** What failed in a file and why, a line each. @param {TestFile} file @returns {string[]} */
function failuresOf(file) {
  const failed = failedTestsOf(file)
  if (failed.length === 0) return isFailed(file) ? [`${nameOf(file)}: ${firstLine(file.message)}`] : []
  return failed.map((test) => `${nameOf(file)} > ${test.fullName}: ${firstLine(test.failureMessages[0])}`)
}

/** @param {string | undefined} text */
const firstLine = (text = '') => stripVTControlCharacters(text).split('\n', 1)[0]?.slice(0, 200) ?? ''
