import { node24, tools } from './paths.mjs'
import { say } from './say.mjs'

/** The checks that don't run the product. The import rules between folders are tests, and run with those. */
const CHECKS = [
  { name: 'Types (tsc)', tool: tools.tsc, args: ['--noEmit'] },
  { name: 'Lint and import cycles (oxlint)', tool: tools.oxlint, args: ['--deny-warnings'] },
  { name: 'Format (oxfmt)', tool: tools.oxfmt, args: ['--check', '.'] },
  { name: 'Unused files, exports and packages (knip)', tool: tools.knip, args: [] },
]

/**
 * Runs every static check to its end, and shows the output of failing ones.
 * @param {ReturnType<typeof import('./processes.mjs').createProcesses>} processes
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runChecks(processes) {
  let failed = 0
  for (const { name, tool, args } of CHECKS) {
    const started = Date.now()
    try {
      await processes.run(name, node24, [tool, ...args], { quiet: true })
      say(`passed  ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`)
    } catch (error) {
      failed += 1
      say(`FAILED  ${name}\n${error.output ?? error.message}`)
    }
  }
  return { passed: CHECKS.length - failed, failed }
}
