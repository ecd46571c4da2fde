import { seeds, timeout } from './runs.ts'
import { fuzzTest as test, tryPublicPaths, tryRoutes, tryTools } from './routes.ts'

// Every route, twenty times: routes.full.test.ts.

test.for(seeds.slice(-1))(
  'whatever a signed-in user requests from a twentieth of the routes, they answer, and store nothing of what they refuse (seed %i)',
  { timeout },
  (seed, { fuzzed }) => tryRoutes({ ...fuzzed, routes: fuzzed.routes.filter((_route, at) => (at + seed) % 20 === 0) }, 3, seed, 1 / 5),
)

test.for(seeds.slice(-1))("MCP's tools answer whatever they are called with (seed %i)", { timeout, tags: ['full'] }, (seed, { fuzzed }) =>
  tryTools(fuzzed, 2, seed),
)

test.for(seeds.slice(-1))(
  'made-up tokens, cursors, cookies and keys open nothing and break nothing (seed %i)',
  { timeout },
  (seed, { fuzzed }) => tryPublicPaths(fuzzed, 6, seed),
)
