import { type Annotations, type Anomaly, type Incident, newNote, type Note, noteChange } from '../../../src/contract/annotations.ts'
import { Refusal } from '../../../src/server/common/errors.ts'
import type { Desk } from './desk.ts'
import { shop } from './usual.ts'

/** An invented ranking incident, as Google publishes them. */
export const incidentOf = (change: Partial<Incident> = {}): Incident => ({
  id: 'sample',
  title: 'Sample ranking update',
  start: '2026-03-10',
  end: '2026-03-13',
  url: 'https://status.search.google.com/incidents/SampleRankingUpdate1',
  ...change,
})

export const noteOf = (change: Partial<Note> = {}): Note => ({
  id: 'note',
  date: '2026-03-01',
  text: 'New titles',
  property: shop,
  inReports: false,
  ...change,
})

/** Lets notes be read, written, changed and deleted as on the server; returns the current ones. */
export function keepNotes(desk: Desk, { notes, incidents }: Annotations): () => readonly Note[] {
  let kept: readonly Note[] = notes
  let made = 0
  const find = (id: string | undefined): Note => {
    const found = kept.find((note) => note.id === id)
    if (found === undefined) throw new Refusal(404, 'Note not found.')
    return found
  }
  desk.answer('GET /api/annotations', ({ query }) => ({
    notes: kept
      .filter(({ property }) => property === null || property === query.get('property'))
      .toSorted((a, b) => b.date.localeCompare(a.date)),
    incidents,
  }))
  desk.answer('POST /api/annotations', ({ body }) => {
    const note = { id: `made-${(made += 1)}`, ...newNote.parse(body) }
    kept = [...kept, note]
    return note
  })
  desk.answer('PATCH /api/annotations/:id', ({ params, body }) => {
    const change = noteChange.parse(body)
    const before = find(params['id'])
    const { date = before.date, text = before.text, inReports = before.inReports } = change
    const changed = { ...before, date, text, inReports }
    kept = kept.map((note) => (note.id === changed.id ? changed : note))
    return changed
  })
  desk.answer('DELETE /api/annotations/:id', ({ params }) => {
    const { id } = find(params['id'])
    kept = kept.filter((note) => note.id !== id)
    return null
  })
  return () => kept
}

/** Impressions that Google counted twice for three days. */
export const countedTwice: Anomaly = {
  id: 'web-2026-02-26',
  title: 'Impressions counted twice',
  start: '2026-02-26',
  end: '2026-02-28',
  searchType: 'web',
  metrics: ['impressions', 'ctr'],
  direction: 'up',
  basis: 'google',
  url: 'https://support.google.com/webmasters/answer/6211453',
}
