import { sql } from 'kysely'
import type { AuditedChange } from '../../contract/audit.ts'
import type { PaidPlan, PlanId } from '../../contract/user.ts'
import { isLive, planInForce } from '../../core/billing/in-force.ts'
import { holdPerson } from '../accounts/service.ts'
import { recordEvent } from '../audit/record.ts'
import type { Db } from '../database/open.ts'

/**
 * The reason for an email, and when the card is charged next: a plan that began or ended, a renewal that was declined. `isGranted`: nobody
 * pays for the plan.
 */
export type BillingEmail = { kind: 'plan-changed' | 'plan-ended' | 'payment-failed'; plan: PlanId; at: string | null; isGranted?: boolean }

export type Card = { brand: string; last4: string; expMonth: number; expYear: number }

/** A subscription as read from Stripe. */
export type Snapshot = {
  id: string
  plan: PlanId
  status: string
  currentPeriodEnd: Date | null
  nextPlan: PlanId | null
  card: Card | null
  createdAt: Date
}

/** A snapshot plus what is only known once: when Stripe retries a declined invoice. */
export type Reading = Snapshot & { nextAttemptAt: Date | null }

/** The changes from a reading; also the content of a queued job. `letters`: emails to send. */
export type Change = { userId: string; from: PlanId; to: PlanId; letters: BillingEmail[] }

/** Stripe's terms for a subscription that is over. */
const ended = ['canceled', 'incomplete_expired']

const columns = ['id', 'plan', 'status', 'currentPeriodEnd', 'nextPlan', 'card', 'createdAt'] as const

export function createBillingStore(db: Db) {
  const subscriptionsOf = (userId: string, on: Db = db): Promise<Snapshot[]> =>
    on.selectFrom('subscriptions').where('userId', '=', userId).select(columns).orderBy('createdAt').execute()

  /** A person whose plan is being changed: locked until the transaction ends. */
  const inHand = (trx: Db, userId: string) => {
    const open = trx.selectFrom('people').where('userId', '=', userId).where('closedAt', 'is', null)
    return open.select(['plan', 'grantedPlan']).forUpdate().executeTakeFirst()
  }

  return {
    subscriptionsOf: (userId: string) => subscriptionsOf(userId),

    async customerOf(userId: string): Promise<string | null> {
      const row = await db.selectFrom('stripeCustomers').where('userId', '=', userId).select('customerId').executeTakeFirst()
      return row?.customerId ?? null
    },

    async ownerOf(customerId: string): Promise<string | null> {
      const row = await db.selectFrom('stripeCustomers').where('customerId', '=', customerId).select('userId').executeTakeFirst()
      return row?.userId ?? null
    },

    /** @throws Refusal 404 if their account is deleted */
    async saveCustomer(userId: string, customerId: string): Promise<void> {
      await db.transaction().execute(async (trx) => {
        await holdPerson(trx, { id: userId })
        const saved = trx.insertInto('stripeCustomers').values({ userId, customerId })
        await saved.onConflict((oc) => oc.column('userId').doUpdateSet({ customerId })).execute()
      })
    },

    /** The customer of an account that is being deleted: from here on, Stripe's messages about it concern nobody. */
    async takeCustomer(userId: string, transaction: Db): Promise<string | null> {
      const taken = transaction.deleteFrom('stripeCustomers').where('userId', '=', userId).returning('customerId')
      return (await taken.executeTakeFirst())?.customerId ?? null
    },

    /** A plan was chosen; only the first time counts. */
    async noteChoice(userId: string, now: Date): Promise<void> {
      await db.updateTable('people').set({ planChosenAt: now }).where('userId', '=', userId).where('planChosenAt', 'is', null).execute()
    },

    /** Somebody's granted plan. */
    async grantedTo(userId: string): Promise<PaidPlan | null> {
      const row = await db.selectFrom('people').where('userId', '=', userId).select('grantedPlan').executeTakeFirst()
      return row?.grantedPlan ?? null
    },

    /**
     * Grants somebody a plan without payment, or ends it (null): by the operator (`house`), or because its owner chose Free. Null if
     * nothing changes.
     */
    async grant(
      userId: string,
      { granted, by }: { granted: PaidPlan | null; by: 'house' | 'owner' },
      now: Date,
      announce: (change: Change, transaction: Db) => Promise<void>,
    ): Promise<Change | null> {
      return db.transaction().execute(async (trx) => {
        const person = await inHand(trx, userId)
        if (!person || person.grantedPlan === granted) return null
        const to = planInForce(granted, await subscriptionsOf(userId, trx))
        const planChosenAt = sql<Date>`coalesce(plan_chosen_at, ${now})`
        await trx.updateTable('people').set({ plan: to, grantedPlan: granted, planChosenAt }).where('userId', '=', userId).execute()
        const change: Change = { userId, from: person.plan, to, letters: [] }
        // Somebody who chose Free knows it; others have to be notified which sites are paused.
        if (by === 'house' && to === 'free' && person.plan !== 'free')
          change.letters.push({ kind: 'plan-ended', plan: person.plan, at: null })
        if (change.from !== to) await announce(change, trx)
        if (by === 'house') await recordEvent(trx, userId, { kind: 'plan-granted', details: { plan: granted ?? 'free' } }, now)
        else if (change.from !== to) await recordEvent(trx, userId, { kind: 'plan-changed', details: { from: person.plan, to } }, now)
        return change
      })
    },

    /** Number of people with a charged subscription. */
    async paying(): Promise<number> {
      const rows = await db.selectFrom('subscriptions').select(['userId', 'status']).execute()
      return new Set(rows.filter(isLive).map(({ userId }) => userId)).size
    },

    isHandled: async (eventId: string): Promise<boolean> =>
      (await db.selectFrom('stripeEvents').where('id', '=', eventId).select('id').executeTakeFirst()) !== undefined,

    async noteHandled(event: { id: string; type: string }, now: Date): Promise<void> {
      await db
        .insertInto('stripeEvents')
        .values({ ...event, handledAt: now })
        .onConflict((oc) => oc.doNothing())
        .execute()
    },

    async forgetEvents(before: Date): Promise<void> {
      await db.deleteFrom('stripeEvents').where('handledAt', '<', before).execute()
    },

    /** Everyone whose subscription is active or being started, or whose last period ended after this moment. */
    async customersSince(moment: Date): Promise<string[]> {
      const rows = await db
        .selectFrom('stripeCustomers')
        .innerJoin('subscriptions', 'subscriptions.userId', 'stripeCustomers.userId')
        .where(({ or, eb }) => or([eb('status', 'not in', ended), eb('currentPeriodEnd', '>', moment)]))
        .select('stripeCustomers.userId')
        .distinct()
        .orderBy('stripeCustomers.userId')
        .execute()
      return rows.map((row) => row.userId)
    },

    /**
     * Stores all of a person's subscriptions as just read and, in the same transaction, the resulting plan. `announce` adds the follow-up
     * work to that transaction.
     */
    async save(
      userId: string,
      read: readonly Reading[],
      now: Date,
      announce: (change: Change, transaction: Db) => Promise<void>,
    ): Promise<Change | null> {
      return db.transaction().execute(async (trx) => {
        const person = await inHand(trx, userId)
        if (!person) return null
        const before = await subscriptionsOf(userId, trx)
        const rows = read.map(({ card, nextAttemptAt: _told, ...snapshot }) => ({
          ...snapshot,
          userId,
          card: card && JSON.stringify(card),
          readAt: now,
        }))
        // In one statement, whose conflicts name each column: the person's row is locked meanwhile.
        if (rows.length > 0)
          await trx
            .insertInto('subscriptions')
            .values(rows)
            .onConflict((oc) =>
              oc.column('id').doUpdateSet(({ ref }) => ({
                plan: ref('excluded.plan'),
                status: ref('excluded.status'),
                currentPeriodEnd: ref('excluded.currentPeriodEnd'),
                nextPlan: ref('excluded.nextPlan'),
                card: ref('excluded.card'),
                createdAt: ref('excluded.createdAt'),
                readAt: ref('excluded.readAt'),
              })),
            )
            .execute()
        // Stripe lists all that aren't over: a missing one ended long ago, or its customer was deleted at Stripe.
        const ids = rows.map(({ id }) => id)
        const gone = trx.updateTable('subscriptions').set({ status: 'canceled', nextPlan: null, readAt: now }).where('userId', '=', userId)
        await (ids.length > 0 ? gone.where('id', 'not in', ids) : gone).where('status', 'not in', ended).execute()

        const to = planInForce(person.grantedPlan, read)
        const change: Change = { userId, from: person.plan, to, letters: emailsOf(person.plan, to, before, read) }
        if (to !== person.plan) await trx.updateTable('people').set({ plan: to }).where('userId', '=', userId).execute()
        if (read.some(isLive))
          await trx
            .updateTable('people')
            .set({ planChosenAt: now })
            .where('userId', '=', userId)
            .where('planChosenAt', 'is', null)
            .execute()
        if (to !== person.plan || change.letters.length > 0) await announce(change, trx)
        for (const event of auditedOf(change, before, read)) await recordEvent(trx, userId, event, now)
        return change
      })
    },
  }
}
export type BillingStore = ReturnType<typeof createBillingStore>

/** What a reading adds to a person's activity: the plan, a failed payment, another card. */
function auditedOf({ from, to, letters: emails }: Change, before: readonly Snapshot[], read: readonly Reading[]): AuditedChange[] {
  const plan: AuditedChange[] = from === to ? [] : [{ kind: 'plan-changed', details: { from, to } }]
  const failed = emails.filter(({ kind }) => kind === 'payment-failed')
  const known = new Map(before.map(({ id, card }) => [id, card]))
  const cards = read.flatMap(({ id, card }): AuditedChange[] => {
    const held = known.get(id)
    if (!card || (held && held.brand === card.brand && held.last4 === card.last4)) return []
    return [{ kind: 'card-changed', details: { brand: card.brand, last4: card.last4 } }]
  })
  return [...plan, ...failed.map((email): AuditedChange => ({ kind: 'payment-failed', details: { plan: email.plan } })), ...cards]
}

/** A failed renewal makes a subscription past due once; Stripe's retries leave it so. */
function emailsOf(from: PlanId, to: PlanId, before: readonly Snapshot[], read: readonly Reading[]): BillingEmail[] {
  const wasPastDue = new Set(before.filter(({ status }) => status === 'past_due').map(({ id }) => id))
  const failed = read.filter(({ id, status }) => status === 'past_due' && !wasPastDue.has(id))
  const emails = failed.map(({ plan, nextAttemptAt }): BillingEmail => ({
    kind: 'payment-failed',
    plan,
    at: nextAttemptAt?.toISOString() ?? null,
  }))
  if (from === to) return emails
  if (to === 'free') return [{ kind: 'plan-ended', plan: from, at: null }, ...emails]
  const giving = read.find((each) => isLive(each) && each.plan === to)
  const at = giving?.nextPlan === 'free' ? null : (giving?.currentPeriodEnd?.toISOString() ?? null)
  return [{ kind: 'plan-changed', plan: to, at, isGranted: giving === undefined }, ...emails]
}
