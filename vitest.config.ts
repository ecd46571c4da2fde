import { defineConfig } from 'vitest/config'

const pure = ['src/{contract,core,web}/**/*.test.{ts,tsx}']
/** Slow by nature: kills, deep fuzzing, long attacks, every screen at every width. Individual tests like that are tagged `full`. */
const long = ['**/*.full.test.ts']
const isFull = Boolean(process.env['TEST_FULL'])
const nowhere = ['**/node_modules/**', '**/.git/**']

// Waiting may take a long time on a busy machine.
const shared = {
  testTimeout: 60_000,
  hookTimeout: 120_000,
  teardownTimeout: 20_000,
  expect: { poll: { timeout: 15_000 } },
} as const

/**
 * Tests of what runs in Node; each worker is one process for all of its files. Node loads the sources as in the product: nothing is
 * transformed, and nothing could be mocked secretly.
 */
const inOneProcess = { ...shared, pool: 'forks', isolate: false, experimental: { viteModuleRunner: false, nodeLoader: false } } as const

/** The same with stores: one PostgreSQL for the run, and whatever a file leaves open is closed afterwards. */
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
      // Without stores, server and browser.
      { test: { ...shared, name: 'pure', pool: 'threads', isolate: false, include: pure } },
      {
        test: {
          ...onStores,
          name: 'server',
          include: ['{src,emulators,bench,chaos}/**/*.test.{ts,tsx}', 'test/*.test.ts', 'test/{attack,fuzz,support}/**/*.test.ts'],
          exclude: [...nowhere, ...pure, ...long],
        },
      },
      // Screens in a browser, with responses made from the contract.
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
