import { defineConfig } from 'vitest/config'

// Every file runs in a process of its own: ClickHouse allows one data directory per process. What is waited for may take
// long on a machine that is busy.
const shared = {
  pool: 'forks',
  isolate: true,
  testTimeout: 60_000,
  hookTimeout: 120_000,
  teardownTimeout: 20_000,
  expect: { poll: { timeout: 15_000 } },
} as const

export default defineConfig({
  test: {
    env: { UV_THREADPOOL_SIZE: '12' },
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['{src,emulators,bench,chaos}/**/*.test.{ts,tsx}', 'test/*.test.ts', 'test/{attack,fuzz,support}/**/*.test.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 90_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
