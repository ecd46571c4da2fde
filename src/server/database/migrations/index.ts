import type { Migration } from 'kysely/migration'
import { peoplePropertiesSync } from './0001-people-properties-sync.ts'
import { accountsBillingDelivery } from './0002-accounts-billing-delivery.ts'
import { alerts } from './0003-alerts.ts'
import { delivery } from './0004-delivery.ts'

/** Every migration in the order of its number; one that has shipped is never changed. */
export const migrations: Record<string, Migration> = {
  '0001-people-properties-sync': peoplePropertiesSync,
  '0002-accounts-billing-delivery': accountsBillingDelivery,
  '0003-alerts': alerts,
  '0004-delivery': delivery,
}
