import { defineConfig } from 'vitest/config'

const pure = ['src/{contract,core,web}/**/*.test.{ts,tsx}']
/** Long by nature: kills, fuzz at depth, attacks at length, every screen at every width. */
const long = ['**/*.full.test.ts']
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
    projects: [
      // No store, no server and no browser.
      { test: { ...shared, name: 'pure', pool: 'threads', isolate: false, include: pure } },
      {
        test: {
          ...onStores,
          // A statement that gets stuck in the ClickHouse of a process is the trouble of one file, not of all after it.
          isolate: false,
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
      { test: { ...onStores, name: 'full', include: process.env['TEST_FULL'] ? long : [], testTimeout: 600_000 } },
    ],
  },
})
