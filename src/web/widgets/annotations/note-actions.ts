import type { NewNote, Note } from '../../../contract/annotations.ts'

/** Actions on notes. `note` is the previous version, if any. */
export type NoteAction =
  | { kind: 'add'; id: string; given: NewNote }
  | { kind: 'change'; note: Note; change: Pick<Note, 'date' | 'text' | 'inReports'> }
  | { kind: 'remove'; note: Note }

const unsaved = 'unsaved-'
let lastUnsaved = 0
/** A note's id until the server assigns one. */
export const unsavedId = (): string => `${unsaved}${(lastUnsaved += 1)}`
/** Whether the server knows it: only then are further actions possible. */
export const isSaved = ({ id }: Note): boolean => !id.startsWith(unsaved)

const newestFirst = (notes: readonly Note[]): Note[] => notes.toSorted((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0))
const isOf = ({ property }: { property: string | null }, name: string): boolean => property === null || property === name

/** A property's notes after the action. */
export function withAction(notes: readonly Note[], action: NoteAction, property: string): Note[] {
  switch (action.kind) {
    case 'add':
      return isOf(action.given, property) ? newestFirst([{ ...action.given, id: action.id }, ...notes]) : [...notes]
    case 'change':
      return newestFirst(notes.map((note) => (note.id === action.note.id ? { ...note, ...action.change } : note)))
    case 'remove':
      return notes.filter(({ id }) => id !== action.note.id)
  }
}

/** A property's notes without the action the server refused. Keeps other actions made meanwhile. */
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
