import { Globe, Pencil } from 'lucide-react'
import { expect, test } from 'vitest'
import { marksOn } from './copy.ts'

test('a day lists what happened on it, and what lasted over it', () => {
  const marks = [
    { date: '2026-03-02', label: 'Note', kind: 'Note', Icon: Pencil },
    { date: '2026-03-01', label: 'Ended', kind: 'Google update', Icon: Globe, span: { start: '2026-02-20', end: '2026-03-02' } },
    { date: '2026-03-03', label: 'Lasts', kind: 'Google update', Icon: Globe, span: { start: '2026-03-03', end: null } },
  ]
  const on = (day: string) => marksOn(marks, day).map(({ label }) => label)
  expect(on('2026-03-01')).toEqual(['Ended'])
  expect(on('2026-03-02')).toEqual(['Note', 'Ended'])
  expect(on('2026-03-09')).toEqual(['Lasts'])
})
