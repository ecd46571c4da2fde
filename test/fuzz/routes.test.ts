import { seeds, timeout } from './runs.ts'
import { fuzzTest as test, tryDoors, tryRoutes, tryTools } from './routes.ts'

test.for(seeds.slice(-1))(
  'whatever the app is asked, by whoever is signed in, it answers, and stores nothing of what it refuses (seed %i)',
  { timeout },
  (seed, { fuzzed }) => tryRoutes(fuzzed, 3, seed, 1 / 4),
)

test.for(seeds.slice(-1))('the tools of MCP answer whatever they are called with (seed %i)', { timeout }, (seed, { fuzzed }) =>
  tryTools(fuzzed, 2, seed),
)

test.for(seeds.slice(-1))(
  'made-up tokens, cursors, cookies and keys open nothing and break nothing (seed %i)',
  { timeout },
  (seed, { fuzzed }) => tryDoors(fuzzed, 10, seed),
)
