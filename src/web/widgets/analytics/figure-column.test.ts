import { expect, test } from 'vitest'
import { figureColumn } from './figure-column.tsx'

const gone = { clicks: 0, impressions: 0, ctr: 0, position: 0, previous: { clicks: 5, impressions: 100, ctr: 0.05, position: 4 } }

test('what is no longer shown has neither a CTR nor a position, on screen, when copied and when sorted', () => {
  for (const metric of ['ctr', 'position'] as const) {
    const { value, change, cell } = figureColumn<typeof gone>({ metric, now: (row) => row, before: ({ previous }) => previous })
    expect([value?.(gone), change?.(gone)]).toEqual([null, null])
    expect(cell(gone)).toMatchObject({ props: { now: null } })
  }
})
