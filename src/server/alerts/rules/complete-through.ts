import type { IsoDate, SearchType } from '../../../contract/common.ts'
import { earlier } from '../../../core/analytics/days.ts'
import type { Db } from '../../database/open.ts'

type Property = { id: number; completeThrough: IsoDate | null }

/** The last day that is final for web search and for a search type, through which its rules are evaluated; null if there is none. */
export async function completeThroughOf(db: Db, { id, completeThrough }: Property, searchType: SearchType): Promise<IsoDate | null> {
  if (searchType === 'web' || completeThrough === null) return completeThrough
  const row = await db
    .selectFrom('properties')
    .leftJoin('searchTypeSyncs', (join) => join.onRef('propertyId', '=', 'properties.id').on('searchType', '=', searchType))
    .where('properties.id', '=', id)
    .select(['kind', 'finalThrough'])
    .executeTakeFirst()
  if (row?.kind !== 'google') return completeThrough
  return row.finalThrough && earlier(row.finalThrough, completeThrough)
}
