import { test } from 'vitest'
import { startTestApp, type TestAppOptions } from './app.ts'

/** Tests in a file that share one server: `app`, started when the first of them needs it. */
export const appTest = (options: TestAppOptions = {}) =>
  test.extend('app', { scope: 'file' }, async ({}, { onCleanup }) => {
    const app = await startTestApp(options)
    onCleanup(() => app.close())
    return app
  })
