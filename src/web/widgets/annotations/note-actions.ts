import type { NewNote, Note } from '../../../contract/annotations.ts'

/** What somebody does about their notes. `note` is what stood there before, where something did. */
export type NoteAction =
  | { kind: 'add'; id: string; given: NewNote }
  | { kind: 'change'; note: Note; change: Pick<Note, 'date' | 'text' | 'inReports'> }
  | { kind: 'remove'; note: Note }

const unsaved = 'unsaved-'
let lastUnsaved = 0
/** The id of a note until the server has given it one. */
export const unsavedId = (): string => `${unsaved}${(lastUnsaved += 1)}`
/** Whether the server knows of it: only then can more be done about it. */
export const isSaved = ({ id }: Note): boolean => !id.startsWith(unsaved)

const newestFirst = (notes: readonly Note[]): Note[] => notes.toSorted((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0))
const isOf = ({ property }: { property: string | null }, name: string): boolean => property === null || property === name

/** The notes of a property as they are once it is done. */
export function afterAction(notes: readonly Note[], action: NoteAction, property: string): Note[] {
  switch (action.kind) {
    case 'add':
      return isOf(action.given, property) ? newestFirst([{ ...action.given, id: action.id }, ...notes]) : [...notes]
    case 'change':
      return newestFirst(notes.map((note) => (note.id === action.note.id ? { ...note, ...action.change } : note)))
    case 'remove':
      return notes.filter(({ id }) => id !== action.note.id)
  }
}

/** The notes of a property as they were: the server refused it. What else was done meanwhile stays. */
export function withoutAction(notes: readonly Note[], action: NoteAction, property: string): Note[] {
  switch (action.kind) {
    case 'add':
      return notes.filter(({ id }) => id !== action.id)
    case 'change':
      return newestFirst(notes.map((note) => (note.id === action.note.id ? action.note : note)))
    case 'remove':
      return isOf(action.note, property) ? newestFirst([action.note, ...notes]) : [...notes]
  }
}
