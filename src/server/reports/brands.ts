import type { ReportBrand, ReportBrandChange, ShownBrand } from '../../contract/reports/reports.ts'
import type { HeldPlan } from '../../contract/user.ts'
import { whiteLabelRefusal } from '../../core/billing/entitlements.ts'
import { holdPerson, type Person } from '../accounts/service.ts'
import { recordEvent } from '../audit/record.ts'
import type { Db } from '../database/open.ts'
import { Refusal } from '../common/errors.ts'
import { isShownToOthers } from '../common/shown-to-others.ts'
import type { Operators } from '../mail/operators.ts'
import type { Clock } from '../platform/clock.ts'
import { drawLogo } from './logo.ts'

/** A brand as it appears on reports and in their emails. */
export type BrandInForce = {
  name: string
  color: string
  senderName: string
  replyTo: string | null
  logo: Buffer | null
  updatedAt: Date
}

export type BrandsDeps = { db: Db; clock: Clock; operators: Operators }

/** Shown in emails if a sender name, saved before names were checked, could pass for the operator's. */
const plainSender = 'Search reports'

/**
 * How agencies' reports look. A brand outlives the plan that includes it: it is suspended, and in force again with the next plan that does.
 */
export function createReportBrands({ db, clock, operators }: BrandsDeps) {
  const load = async (userId: string): Promise<BrandInForce | null> =>
    (await db
      .selectFrom('reportBrands')
      .where('userId', '=', userId)
      .select(({ ref }) => ['name', ref('colour').as('color'), 'senderName', 'replyTo', 'logo', 'updatedAt'])
      .executeTakeFirst()) ?? null

  async function view({ id, plan }: Person): Promise<ReportBrand> {
    const brand = await load(id)
    return {
      locked: whiteLabelRefusal(plan),
      brand: brand && { ...shownBrand(brand), senderName: brand.senderName, replyTo: brand.replyTo },
    }
  }

  /** Whether others get reports with the brand. */
  const showsOthers = (person: Person): Promise<boolean> => isShownToOthers(db, person, 'anything', clock.now())

  function refuseLocked(plan: HeldPlan): void {
    const locked = whiteLabelRefusal(plan)
    if (locked !== null) throw new Refusal(403, locked)
  }

  /** Only the operator may use the operator's name; a stored one must not keep an agency from changing the rest (see `inForce`). */
  async function refusePretending(person: Person, change: ReportBrandChange): Promise<void> {
    if (operators.include(person)) return
    const brand = await load(person.id)
    for (const field of ['name', 'senderName'] as const) {
      if (change[field] === brand?.[field] || !operators.arePretended(change[field])) continue
      throw new Refusal(
        400,
        "This name could be mistaken for this installation's own or for an email address. Choose a different one.",
        field,
      )
    }
  }

  async function putLogo(person: Person, logo: Buffer | null): Promise<void> {
    const userId = person.id
    await db.transaction().execute(async (trx) => {
      // Drawing waits for others' drawings, and access may have ended meanwhile.
      if (logo !== null) await holdPerson(trx, person)
      const now = clock.now()
      const ofTheirs = trx.updateTable('reportBrands').set({ logo, updatedAt: now }).where('userId', '=', userId)
      const changed = await ofTheirs.returning('name').executeTakeFirst()
      if (!changed) throw new Refusal(409, "Save your brand's name and color first.", 'logo')
      await recordEvent(trx, userId, { kind: 'brand-changed', details: { name: changed.name } }, now)
    })
  }

  return {
    view,

    /** The brand on a person's reports; null for ours. */
    async inForce(person: Pick<Person, 'id' | 'plan' | 'email' | 'emailVerified'>): Promise<BrandInForce | null> {
      const brand = whiteLabelRefusal(person.plan) === null ? await load(person.id) : null
      if (brand === null || operators.include(person) || !operators.arePretended(brand.senderName)) return brand
      return { ...brand, senderName: plainSender }
    },

    /**
     * Whether that change makes replies go to an address that is neither the account's own nor theirs already, or shows others a brand that
     * they haven't seen.
     */
    async showsOthersMore(person: Person, { name, color, senderName, replyTo }: ReportBrandChange): Promise<boolean> {
      const brand = await load(person.id)
      if (replyTo !== null && replyTo.toLowerCase() !== person.email && replyTo !== brand?.replyTo) return true
      if (brand?.name === name && brand.color === color && brand.senderName === senderName) return false
      return showsOthers(person)
    },

    showsOthers,

    /** @throws Refusal 400 for a name that could pass for the operator's, 403 if the plan has no brands */
    async save(person: Person, change: ReportBrandChange): Promise<ReportBrand> {
      refuseLocked(person.plan)
      await refusePretending(person, change)
      const { color, ...others } = change
      const values = { ...others, colour: color, updatedAt: clock.now() }
      await db.transaction().execute(async (trx) => {
        await holdPerson(trx, person)
        await trx
          .insertInto('reportBrands')
          .values({ userId: person.id, ...values })
          .onConflict((oc) => oc.column('userId').doUpdateSet(values))
          .execute()
        await recordEvent(trx, person.id, { kind: 'brand-changed', details: { name: change.name } }, values.updatedAt)
      })
      return view(person)
    },

    /** @throws Refusal 400 or 413 for an unacceptable image, 403 if the plan has no brands, 409 without a brand */
    async saveLogo(person: Person, bytes: Buffer): Promise<ReportBrand> {
      refuseLocked(person.plan)
      await putLogo(person, await drawLogo(bytes))
      return view(person)
    },

    /** Allowed on every plan: people may remove what is theirs. @throws Refusal 409 without a brand */
    async removeLogo(person: Person): Promise<ReportBrand> {
      await putLogo(person, null)
      return view(person)
    },
  }
}
export type ReportBrands = ReturnType<typeof createReportBrands>

/** The brand as visible to everybody who sees a report. */
export const shownBrand = ({ name, color, logo }: BrandInForce): ShownBrand => ({
  name,
  color,
  logo: logo && `data:image/png;base64,${logo.toString('base64')}`,
})
