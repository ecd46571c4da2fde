import { npm, outsideEnvironment } from './install.mjs'
import { root } from './paths.mjs'

const severities = ['critical', 'high', 'moderate', 'low', 'info']

/**
 * Known vulnerabilities of the shipped packages. `unknown`: nobody has checked, which is neither clean nor a failure.
 * @typedef {{ state: 'clean'
 * 'faulty'
 * 'unknown', lines: string[] }} Audit
 */

/**
 * Asks the registry for known vulnerabilities of the shipped packages.
 * @param {ReturnType<typeof import('./processes.mjs').createProcesses>} processes
 * @returns {Promise<Audit>}
 */
export async function audit(processes) {
  const [command, args] = npm()
  const options = { cwd: root, env: outsideEnvironment(), quiet: true }
  // It also exits with an error if there are vulnerabilities.
  const output = await processes
    .run('npm audit', command, [...args, 'audit', '--omit=dev', '--json', '--loglevel=silent'], options)
    .catch((error) => error.output ?? '')
  return auditOf(output)
}

/** The findings of `npm audit --json`. @param {string} output @returns {Audit} */
export function auditOf(output) {
  const report = jsonIn(output)
  const counts = report?.metadata?.vulnerabilities
  if (!counts) {
    const reason = `**Not checked**, so their vulnerabilities are unknown: ${reasonIn(report)}`
    return { state: 'unknown', lines: [`${reason} Run \`npm audit --omit=dev\` with a registry that supports it.`] }
  }
  const known = severities.map((severity) => `${counts[severity] ?? 0} ${severity}`).join(', ')
  const serious = Object.values(report.vulnerabilities ?? {}).filter(({ severity }) => severity === 'critical' || severity === 'high')
  const isFaulty = serious.length > 0 || counts.critical > 0 || counts.high > 0
  return {
    state: isFaulty ? 'faulty' : 'clean',
    lines: [
      `\`npm audit --omit=dev\` checked ${report.metadata.dependencies?.prod ?? 'all'} packages. Known: ${known}.`,
      ...serious.map(({ name, severity, range }) => `- ${name} ${range}: ${severity}`),
    ],
  }
}

/** @param {string} output @returns {any} */
function jsonIn(output) {
  try {
    return JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1))
  } catch {
    return null
  }
}

/** Without the registry's address, which means nothing to others. @param {any} report */
function reasonIn(report) {
  const status = report?.statusCode
  return status === undefined
    ? 'the registry could not be reached.'
    : `the configured registry does not support \`npm audit\` (status ${status}).`
}
