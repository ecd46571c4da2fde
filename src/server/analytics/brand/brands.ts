import { sql } from 'kysely'
import type { BrandList } from '../../../contract/brand.ts'
import { suggestedTerms } from '../../../core/analytics/brand.ts'
import type { ReportProperty } from '../../accounts/service.ts'
import type { Db } from '../../database/open.ts'
import { notYourProperty } from '../../common/errors.ts'

/** The current list, and a version that changes whenever a list is saved. */
export type Brand = BrandList & { version: number }

/** Brand terms: those the owner saved, or else suggestions from the property's name. */
export function createBrandTerms(db: Db) {
  return {
    async of({ id, name }: Pick<ReportProperty, 'id' | 'name'>): Promise<Brand> {
      const row = await db.selectFrom('properties').where('id', '=', id).select(['brandTerms', 'brandVersion']).executeTakeFirst()
      if (!row?.brandTerms) return { terms: suggestedTerms(name), suggested: true, version: row?.brandVersion ?? 0 }
      return { terms: row.brandTerms, suggested: false, version: row.brandVersion }
    },

    /** @throws Refusal 404 if the property is no longer this person's */
    async save(userId: string, { id, name }: ReportProperty, terms: readonly string[]): Promise<BrandList> {
      const saved = await db
        .updateTable('properties')
        .set({ brandTerms: [...terms], brandVersion: sql`brand_version + 1` })
        .where('id', '=', id)
        .where('userId', '=', userId)
        .returning('brandTerms')
        .executeTakeFirst()
      if (!saved) throw notYourProperty(name)
      return { terms: saved.brandTerms ?? [], suggested: false }
    },
  }
}
export type BrandTerms = ReturnType<typeof createBrandTerms>
