import { expect, test } from 'vitest'
import type { Note } from '../../../contract/annotations.ts'
import { isSaved, type NoteAction, unsavedId, withAction, withoutAction } from './note-actions.ts'

const shop = 'https://shop.example/'
const blog = 'https://blog.example/'
const note = (id: string, date: string, property: string | null = shop): Note => ({ id, date, text: id, property, inReports: false })
const notes = [note('b', '2026-03-09'), note('a', '2026-03-01')]
const ids = (some: readonly Note[]) => some.map(({ id }) => id)

test('an added note is sorted in by its day, on its properties', () => {
  const id = unsavedId()
  const add = (property: string | null): NoteAction => ({
    kind: 'add',
    id,
    given: { date: '2026-03-05', text: 'x', property, inReports: false },
  })
  expect(ids(withAction(notes, add(shop), shop))).toEqual(['b', id, 'a'])
  expect(ids(withAction([], add(shop), blog))).toEqual([])
  expect(ids(withAction([], add(null), blog))).toEqual([id])
  expect(isSaved({ ...note('1', '2026-03-05'), id })).toBe(false)
  expect(isSaved(note('1', '2026-03-05'))).toBe(true)
})

test('a refused change is undone, and others made meanwhile stay', () => {
  const [b, a] = notes as [Note, Note]
  const later = note('c', '2026-03-10')
  const actions: NoteAction[] = [
    { kind: 'add', id: 'unsaved-9', given: { date: '2026-03-05', text: 'x', property: shop, inReports: false } },
    { kind: 'change', note: a, change: { date: '2026-03-20', text: 'Other', inReports: true } },
    { kind: 'remove', note: b },
  ]
  for (const action of actions) {
    const shown = withAction(notes, action, shop)
    expect(shown).not.toEqual(notes)
    expect(withoutAction([later, ...shown], action, shop)).toEqual([later, b, a])
  }
  expect(ids(withAction(notes, actions[1] as NoteAction, shop))).toEqual(['a', 'b'])
})
