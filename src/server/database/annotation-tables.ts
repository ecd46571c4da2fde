import type { ColumnType, Generated } from 'kysely'
import type { IsoDate } from '../../contract/common.ts'
import type { SavedKind } from '../../contract/explore/saved.ts'

/** A person's note on a day, for one property or for all of them (null). */
export type AnnotationsTable = {
  id: ColumnType<number, never, never>
  userId: string
  propertyId: number | null
  date: IsoDate
  text: string
  /** Shown in reports that leave the account; only for a property's note. */
  inReports: Generated<boolean>
  createdAt: Date
}

/** Google's announcements about its ranking; days are Pacific ones, `ends` is null while ongoing. */
export type RankingIncidentsTable = { id: string; title: string; starts: IsoDate; ends: IsoDate | null; url: string }

/** Saved explorer states: a segment's filters, or a view's URL query. */
export type SavedExplorationsTable = {
  id: ColumnType<number, never, never>
  userId: string
  kind: SavedKind
  name: string
  content: string
  createdAt: Date
}

/** A segment's name and filters, as kept by what was made with it. */
export type StoredSegment = { id: string; name: string; content: string }
