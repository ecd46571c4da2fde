import readAddresses from 'nodemailer/lib/addressparser'
import type { ReportBrand, ReportBrandChange, ShownBrand } from '../../contract/reports/reports.ts'
import type { HeldPlan } from '../../contract/user.ts'
import { whiteLabelRefusal } from '../../core/billing/entitlements.ts'
import { pretends } from '../../core/reports/sender-name.ts'
import type { Person } from '../accounts/service.ts'
import { recordEvent } from '../audit/record.ts'
import type { Config } from '../config.ts'
import type { Db } from '../database/open.ts'
import { Refusal } from '../common/errors.ts'
import type { Clock } from '../platform/clock.ts'
import { drawLogo } from './logo.ts'

/** A brand as it stands on reports and in their mails. */
export type BrandInForce = {
  name: string
  colour: string
  senderName: string
  replyTo: string | null
  logo: Buffer | null
  updatedAt: Date
}

/** `addresses`: those of the operator, whose own brand may be called as they are. */
export type Operators = { names: () => readonly string[]; addresses: readonly string[] }
export type BrandsDeps = { db: Db; clock: Clock; operators: Operators }

/** What mails call a sender whose name, saved before it was looked at, could be taken for the operator's. */
const plainSender = 'Search reports'

/** How reports of agencies look. A brand outlives the plan that covers it: it rests, and is in force again with the next one that does. */
export function createBrands({ db, clock, operators }: BrandsDeps) {
  const load = async (userId: string): Promise<BrandInForce | null> =>
    (await db.selectFrom('reportBrands').where('userId', '=', userId).selectAll().executeTakeFirst()) ?? null

  async function view({ id, plan }: Person): Promise<ReportBrand> {
    const brand = await load(id)
    return {
      locked: whiteLabelRefusal(plan),
      brand: brand && { ...shownBrand(brand), senderName: brand.senderName, replyTo: brand.replyTo },
    }
  }

  function refuseLocked(plan: HeldPlan): void {
    const locked = whiteLabelRefusal(plan)
    if (locked !== null) throw new Refusal(403, locked)
  }

  const isOperator = ({ email, emailVerified }: Pick<Person, 'email' | 'emailVerified'>): boolean =>
    emailVerified && operators.addresses.includes(email.toLowerCase())

  /** Nobody but whoever runs this installation writes in their name. */
  function refusePretending(person: Person, change: ReportBrandChange): void {
    if (isOperator(person)) return
    for (const field of ['name', 'senderName'] as const) {
      if (!pretends(change[field], operators.names())) continue
      throw new Refusal(
        400,
        "This name could be mistaken for this installation's own or for an email address. Choose a different one.",
        field,
      )
    }
  }

  async function putLogo(userId: string, logo: Buffer | null): Promise<void> {
    await db.transaction().execute(async (trx) => {
      const now = clock.now()
      const ofTheirs = trx.updateTable('reportBrands').set({ logo, updatedAt: now }).where('userId', '=', userId)
      const changed = await ofTheirs.returning('name').executeTakeFirst()
      if (!changed) throw new Refusal(409, "Save your brand's name and color first.", 'logo')
      await recordEvent(trx, userId, { kind: 'brand-changed', details: { name: changed.name } }, now)
    })
  }

  return {
    view,

    /** What a person's reports bear; null for ours. */
    async inForce(person: Pick<Person, 'id' | 'plan' | 'email' | 'emailVerified'>): Promise<BrandInForce | null> {
      const brand = whiteLabelRefusal(person.plan) === null ? await load(person.id) : null
      if (brand === null || isOperator(person) || !pretends(brand.senderName, operators.names())) return brand
      return { ...brand, senderName: plainSender }
    },

    /** @throws Refusal 400 for a name that could be taken for the operator's, 403 when the plan has none */
    async save(person: Person, change: ReportBrandChange): Promise<ReportBrand> {
      refuseLocked(person.plan)
      refusePretending(person, change)
      const values = { ...change, updatedAt: clock.now() }
      await db.transaction().execute(async (trx) => {
        await trx
          .insertInto('reportBrands')
          .values({ userId: person.id, ...values })
          .onConflict((oc) => oc.column('userId').doUpdateSet(values))
          .execute()
        await recordEvent(trx, person.id, { kind: 'brand-changed', details: { name: change.name } }, values.updatedAt)
      })
      return view(person)
    },

    /** @throws Refusal 400 or 413 for what is no picture we take, 403 when the plan has none, 409 before there is a brand */
    async saveLogo(person: Person, bytes: Buffer): Promise<ReportBrand> {
      refuseLocked(person.plan)
      await putLogo(person.id, await drawLogo(bytes))
      return view(person)
    },

    /** Allowed on every plan: it is theirs to take away. @throws Refusal 409 before there is a brand */
    async removeLogo(person: Person): Promise<ReportBrand> {
      await putLogo(person.id, null)
      return view(person)
    },
  }
}
export type Brands = ReturnType<typeof createBrands>

/** Who runs this installation, by what people may know of them. */
export function operatorsOf({ mail, supportEmail }: Pick<Config, 'mail' | 'supportEmail'>, baseUrl: () => string): Operators {
  const { name = '', address = '' } = readAddresses(mail?.from ?? '', { flatten: true })[0] ?? {}
  const domain = address.split('@')[1] ?? ''
  return {
    names: () => ['Ranklark', name, domain, new URL(baseUrl()).hostname].filter((each) => each !== ''),
    addresses: [address, supportEmail ?? ''].filter((each) => each !== '').map((each) => each.toLowerCase()),
  }
}

/** As everybody may see it who sees a report. */
export const shownBrand = ({ name, colour, logo }: BrandInForce): ShownBrand => ({
  name,
  colour,
  logo: logo && `data:image/png;base64,${logo.toString('base64')}`,
})
