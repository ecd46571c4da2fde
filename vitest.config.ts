import { defineConfig } from 'vitest/config'

const pure = ['src/{contract,core,web}/**/*.test.{ts,tsx}']
/** Long by nature: kills, fuzz at depth, attacks at length, every screen at every width. Single tests like that are tagged `full`. */
const long = ['**/*.full.test.ts']
const isFull = Boolean(process.env['TEST_FULL'])
const nowhere = ['**/node_modules/**', '**/.git/**']

// What is waited for may take long on a machine that is busy.
const shared = {
  testTimeout: 60_000,
  hookTimeout: 120_000,
  teardownTimeout: 20_000,
  expect: { poll: { timeout: 15_000 } },
} as const

/**
 * Tests of what runs in Node, each worker one process for all of its files. Node reads the sources as it does in the
 * product: nothing is transformed, and nothing could be mocked behind its back.
 */
const inOneProcess = { ...shared, pool: 'forks', isolate: false, experimental: { viteModuleRunner: false, nodeLoader: false } } as const

/** The same on stores: one PostgreSQL for the run, and whatever a file leaves open is closed behind it. */
const onStores = {
  ...inOneProcess,
  globalSetup: ['test/setup/postgres.ts'],
  setupFiles: ['test/setup/leave-nothing-open.ts'],
}

export default defineConfig({
  test: {
    env: { UV_THREADPOOL_SIZE: '12' },
    maxWorkers: 2,
    tags: [{ name: 'full', description: 'runs in `npm run test:full` only', timeout: 600_000 }],
    ...(!isFull && { tagsFilter: ['!full'] }),
    projects: [
      // No store, no server and no browser.
      { test: { ...shared, name: 'pure', pool: 'threads', isolate: false, include: pure } },
      {
        test: {
          ...onStores,
          name: 'server',
          include: ['{src,emulators,bench,chaos}/**/*.test.{ts,tsx}', 'test/*.test.ts', 'test/{attack,fuzz,support}/**/*.test.ts'],
          exclude: [...nowhere, ...pure, ...long],
        },
      },
      // Screens in a browser, with answers made from the contract.
      { test: { ...inOneProcess, name: 'screens', include: ['test/screens/**/*.test.ts'], exclude: [...nowhere, ...long] } },
      // The whole product in a browser.
      {
        test: {
          ...onStores,
          name: 'journeys',
          include: ['test/journeys/**/*.test.ts'],
          exclude: [...nowhere, ...long],
          testTimeout: 180_000,
        },
      },
      { test: { ...onStores, name: 'full', include: isFull ? long : [], testTimeout: 600_000 } },
    ],
  },
})
