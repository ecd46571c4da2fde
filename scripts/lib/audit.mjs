import { npm, outsideEnvironment } from './install.mjs'
import { root } from './paths.mjs'

const severities = ['critical', 'high', 'moderate', 'low', 'info']

/**
 * What is known against the packages that ship. `unknown`: nobody has looked, which is neither clean nor a failure.
 * @typedef {{ state: 'clean' | 'faulty' | 'unknown', lines: string[] }} Audit
 */

/**
 * Asks the registry what is known against the packages that ship.
 * @param {ReturnType<typeof import('./processes.mjs').createProcesses>} processes
 * @returns {Promise<Audit>}
 */
export async function audit(processes) {
  const [command, args] = npm()
  const options = { cwd: root, env: outsideEnvironment(), quiet: true }
  // It ends with an error where something is known, too.
  const output = await processes
    .run('npm audit', command, [...args, 'audit', '--omit=dev', '--json', '--loglevel=silent'], options)
    .catch((error) => error.output ?? '')
  return auditOf(output)
}

/** What `npm audit --json` found. @param {string} output @returns {Audit} */
export function auditOf(output) {
  const told = jsonIn(output)
  const counts = told?.metadata?.vulnerabilities
  if (!counts) {
    const reason = `**Not looked at**, so nothing is known of them: ${reasonIn(told)}`
    return { state: 'unknown', lines: [`${reason} Run \`npm audit --omit=dev\` where the registry answers it.`] }
  }
  const known = severities.map((severity) => `${counts[severity] ?? 0} ${severity}`).join(', ')
  const serious = Object.values(told.vulnerabilities ?? {}).filter(({ severity }) => severity === 'critical' || severity === 'high')
  const isFaulty = serious.length > 0 || counts.critical > 0 || counts.high > 0
  return {
    state: isFaulty ? 'faulty' : 'clean',
    lines: [
      `\`npm audit --omit=dev\` looked at ${told.metadata.dependencies?.prod ?? 'all'} packages. Known: ${known}.`,
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

/** Without the registry's address: that of whoever ran this says nothing to others. @param {any} told */
function reasonIn(told) {
  const status = told?.statusCode
  return status === undefined
    ? 'the registry could not be asked.'
    : `the registry that this installation uses does not answer \`npm audit\` (status ${status}).`
}
