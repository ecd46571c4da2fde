import type { ColumnType, Generated } from 'kysely'
import type { IsoDate } from '../../contract/common.ts'
import type { SavedKind } from '../../contract/explore/saved.ts'

/** A note of a person on a day, of one property or of all of them (null). */
export type AnnotationsTable = {
  id: ColumnType<number, never, never>
  userId: string
  propertyId: number | null
  date: IsoDate
  text: string
  /** Shown in reports that leave the account; only one of a property. */
  inReports: Generated<boolean>
  createdAt: Date
}

/** What Google published about its ranking; days are Pacific ones, `ends` is null while it lasts. */
export type RankingIncidentsTable = { id: string; title: string; starts: IsoDate; ends: IsoDate | null; url: string }

/** What somebody keeps of the explorer: of a segment its filters, of a view the query of its address. */
export type SavedExplorationsTable = {
  id: ColumnType<number, never, never>
  userId: string
  kind: SavedKind
  name: string
  content: string
  createdAt: Date
}
