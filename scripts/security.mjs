// `npm run security`: the tests that attack, and known vulnerabilities of the shipped packages. Writes docs/security.md.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { attacks } from './lib/attacks.mjs'
import { audit } from './lib/audit.mjs'
import { buildBrowserPart } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { node24, root, tools } from './lib/paths.mjs'
import { createProcesses, onInterrupt } from './lib/processes.mjs'
import { fail, say } from './lib/say.mjs'
import { searchLogs } from './lib/secrets-in-logs.mjs'

const processes = createProcesses()
onInterrupt(async () => {
  await processes.stopAll()
  process.exit(130)
}, processes.killAll)

/** Runs the tests of all attacks once. Returns their results, the number of requests sent, and secrets that their servers logged. */
async function attack() {
  const directory = mkdtempSync(path.join(tmpdir(), 'ranklark-security-'))
  const report = path.join(directory, 'report.json')
  const counts = path.join(directory, 'requests')
  const logs = path.join(directory, 'logs')
  for (const each of [counts, logs]) mkdirSync(each)
  try {
    const files = [...new Set(attacks.flatMap((each) => each.files))]
    const counting = `--import=${pathToFileURL(path.join(root, 'scripts/lib/count-requests.mjs'))}`
    const started = Date.now()
    await processes
      .run(
        'Vitest',
        node24,
        [
          tools.vitest,
          'run',
          '--project',
          'pure',
          '--project',
          'server',
          '--project',
          'full',
          '--reporter=default',
          '--reporter=json',
          `--outputFile.json=${report}`,
          ...files,
        ],
        {
          env: {
            ...process.env,
            NODE_ENV: 'test',
            TEST_FULL: '1',
            UV_THREADPOOL_SIZE: '12',
            NODE_OPTIONS: counting,
            COUNTED_REQUESTS: counts,
            GATHERED_LOGS: logs,
          },
        },
      )
      .catch(() => say('Some tests failed.'))
    const requests = readdirSync(counts).reduce((sum, name) => sum + Number(readFileSync(path.join(counts, name), 'utf8')), 0)
    const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
    return { testResults, requests, search: searchLogs(logs), seconds: Math.round((Date.now() - started) / 1000) }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** @param {{ testResults: any[] }} run @param {readonly string[]} files */
function resultOf({ testResults }, files) {
  const theirs = testResults.filter(({ name }) =>
    files.some((file) => path.relative(root, name).split(path.sep).join('/').startsWith(file)),
  )
  const tests = theirs.flatMap(({ assertionResults }) => assertionResults)
  const failed = tests.filter(({ status }) => status === 'failed')
  // A file that couldn't be loaded has no tests to count.
  const unloaded = theirs.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((/** @type {any} */ test) => test.status === 'failed'),
  )
  const missing = files.filter((file) => !theirs.some(({ name }) => path.relative(root, name).split(path.sep).join('/').startsWith(file)))
  return {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failures: [
      ...failed.map(({ fullName }) => fullName),
      ...unloaded.map(({ name }) => `${path.relative(root, name)} could not be run`),
      ...missing.map((file) => `${file} was not run`),
    ],
  }
}

/** Secrets that the servers logged. If no logs were gathered, nothing was searched. @param {ReturnType<typeof searchLogs>} search */
function leaksIn({ logs, found }) {
  return logs === 0 ? ['no server logged anything that could be searched'] : found
}

/** @param {Awaited<ReturnType<typeof attack>>} run @param {import('./lib/audit.mjs').Audit} known */
function written(run, known) {
  const results = attacks.map((each) => ({ ...each, ...resultOf(run, each.files) }))
  const leaks = leaksIn(run.search)
  const failures = [
    ...results.flatMap(({ theme, failures: some }) => some.map((name) => `${theme}: ${name}`)),
    ...leaks.map((leak) => `Secrets in logs: ${leak}`),
  ]
  const rows = results.map(({ theme, tried, passed, failures: some }) => `| ${theme} | ${tried} | ${passed} | ${some.length} |`)
  const text = [
    '# Security tests: the last run',
    '',
    'The last result of `npm run security`, which writes this page. For what is protected, how, and what isn’t, see [SECURITY.md](../SECURITY.md).',
    '',
    `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node.split('.')[0]}, ${cpus().length} processors, ${run.seconds} seconds: **${results.reduce((sum, { passed }) => sum + passed, 0)} tests passed, ${failures.length} failed, ${run.requests.toLocaleString('en-US')} requests** to real servers on real stores.`,
    '',
    '| attack | tried | passed | failed |',
    '|---|---|---|---|',
    ...rows,
    '',
    ...(failures.length > 0 ? ['## Failed', '', ...failures.map((name) => `- ${name}`), ''] : []),
    '## Secrets in logs',
    '',
    `${run.search.lines.toLocaleString('en-US')} log lines, at the most detailed level, from the servers of ${run.search.logs} test files were searched for ${run.search.secrets.toLocaleString('en-US')} secrets used in these tests, and for anything that looks like one: ${leaks.length === 0 ? 'none was found' : `**${leaks.length} found**`}.`,
    '',
    '## Packages we ship',
    '',
    ...known.lines,
    '',
  ].join('\n')
  return { text, failed: failures.length > 0 || known.state === 'faulty' }
}

try {
  await ensureInstalled(processes)
  await buildBrowserPart(processes)
  const run = await attack()
  const known = await audit(processes)
  const { text, failed } = written(run, known)
  writeFileSync(path.join(root, 'docs/security.md'), text)
  if (known.state === 'unknown') say('NOT CHECKED  Known vulnerabilities in the shipped packages: the registry did not respond')
  say(`${failed ? 'FAILED' : 'passed'}  The result is in docs/security.md`)
  process.exitCode = failed ? 1 : 0
} catch (error) {
  fail(error)
}
