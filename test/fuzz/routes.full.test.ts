import { seeds, timeout } from './runs.ts'
import { fuzzTest as test, tryPublicPaths, tryRoutes, tryTools } from './routes.ts'

test.for(seeds)(
  'whatever a signed-in user requests, the app answers, and stores nothing of what it refuses (seed %i)',
  { timeout },
  (seed, { fuzzed }) => tryRoutes(fuzzed, 20, seed, 1 / 2),
)

test.for(seeds)("MCP's tools answer whatever they are called with (seed %i)", { timeout }, (seed, { fuzzed }) => tryTools(fuzzed, 16, seed))

test.for(seeds)('made-up tokens, cursors, cookies and keys open nothing and break nothing (seed %i)', { timeout }, (seed, { fuzzed }) =>
  tryPublicPaths(fuzzed, 80, seed),
)
