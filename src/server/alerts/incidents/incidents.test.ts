import { test as plain } from 'vitest'
import { startShortDemo } from '../../../../test/support/browser-demo.ts'
import { cases, expectFound, scriptedIn } from '../../../../test/support/scripted-incidents.ts'

// All of them, over sixteen months, and how quiet the quiet months are: incidents.full.test.ts.

const recent = 'shop-page-lost'

const test = plain.extend('scripted', { scope: 'file' }, async ({}, { onCleanup }) => {
  const app = await startShortDemo()
  onCleanup(() => app.close())
  return scriptedIn(app, '2026-03-15')
})

test.for(cases.filter(({ id }) => id === recent))(
  'finds a recent incident of the sample properties: $id by a rule about $rule.type',
  { tags: ['full'] },
  (one, { scripted }) => expectFound(scripted, one),
)
