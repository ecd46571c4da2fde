import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
// @ts-expect-error -- plain Node, like everything that runs before node_modules exist
import { auditOf } from '../scripts/lib/audit.mjs'
// @ts-expect-error -- likewise
import { withoutChecksum } from '../scripts/lib/checksums.mjs'

// `npm run security` asks the registry about vulnerabilities of the shipped packages, and says so if nobody answered.

type Audit = { state: string; lines: string[] }
const audit = (output: unknown): Audit => auditOf(typeof output === 'string' ? output : JSON.stringify(output)) as Audit
const none = { critical: 0, high: 0, moderate: 0, low: 0, info: 0 }
const answer = (counts: object, vulnerabilities = {}) => ({
  vulnerabilities,
  metadata: { vulnerabilities: { ...none, ...counts }, dependencies: { prod: 123 } },
})

test.each([
  ['nothing', ''],
  ['a page', '<html>Not Found</html>'],
  ['half an answer', '{"vulnerabilities":{},"metadata":{'],
  ['an answer without figures', { auditReportVersion: 2 }],
  ['that it does not do this', { statusCode: 404, error: { code: 'ENOAUDIT' } }],
])("a registry that says %s hasn't checked, which isn't clean", (_what, output) => {
  const { state, lines } = audit(output)
  expect(state).toBe('unknown')
  expect(lines.join()).toContain('Not checked')
  expect(lines.join()).not.toMatch(/Known:|checked \d/)
})

test('only what was checked is clean', () => {
  expect(audit(answer({ moderate: 2 }))).toEqual({
    state: 'clean',
    lines: ['`npm audit --omit=dev` checked 123 packages. Known: 0 critical, 0 high, 2 moderate, 0 low, 0 info.'],
  })
})

test.each(['critical', 'high'])('a vulnerability that is %s fails, by its name', (severity) => {
  const { state, lines } = audit(answer({ [severity]: 1 }, { 'bad-package': { name: 'bad-package', severity, range: '<2' } }))
  expect(state).toBe('faulty')
  expect(lines).toContain(`- bad-package <2: ${severity}`)
})

test('of the shipped packages, only the database engine of some platforms has no checksum (SECURITY.md)', () => {
  const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))
  const left = withoutChecksum(lock) as { name: string }[]
  expect(left.map(({ name }) => name)).toEqual(['@chdb/lib-darwin-arm64', '@chdb/lib-darwin-x64', '@chdb/lib-linux-arm64-gnu'])
  for (const entry of Object.values<{ integrity?: string }>(lock.packages)) delete entry.integrity
  expect((withoutChecksum(lock) as { name: string }[]).map(({ name }) => name)).toContain('fastify')
})
