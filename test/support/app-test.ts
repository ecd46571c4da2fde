import { test } from 'vitest'
import { startTestApp, type TestAppOptions } from './app.ts'

/** Tests of a file that share one server of their own: `app`, started when the first of them asks for it. */
export const appTest = (options: TestAppOptions = {}) =>
  test.extend('app', { scope: 'file' }, async ({}, { onCleanup }) => {
    const app = await startTestApp(options)
    onCleanup(() => app.close())
    return app
  })
