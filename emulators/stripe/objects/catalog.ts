import { newId } from '../ids.ts'
import type { Price, Product, SubscriptionItem } from './types.ts'

export function buildProduct(created: number, fields: Pick<Product, 'name'> & Partial<Product>): Product {
  return {
    id: newId('prod'),
    object: 'product',
    active: true,
    created,
    default_price: null,
    description: null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: {},
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: created,
    url: null,
    ...fields,
  }
}

export interface Recurring {
  readonly interval: 'day' | 'week' | 'month' | 'year'
  readonly interval_count: number
}

export function buildPrice(
  created: number,
  fields: Pick<Price, 'currency' | 'product'> & Partial<Price> & { unit_amount: number },
  recurring: Recurring | null,
): Price {
  return {
    id: newId('price'),
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: null,
    metadata: {},
    nickname: null,
    recurring: recurring && { ...recurring, meter: null, trial_period_days: null, usage_type: 'licensed' },
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: recurring ? 'recurring' : 'one_time',
    unit_amount_decimal: String(fields.unit_amount),
    ...fields,
  }
}

/** The old form of a price, which subscription items still include. */
export function planOf(price: Price): SubscriptionItem['plan'] {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: price.billing_scheme,
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? 'month',
    interval_count: price.recurring?.interval_count ?? 1,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  }
}

/** The products of a new stand-in. */
export function sampleCatalogue(created: number): { products: Product[]; prices: Price[] } {
  const sample = (name: string, plan: string, unit_amount: number) => {
    const product = buildProduct(created, { id: `prod_ranklark_${plan}`, name: `Ranklark ${name}` })
    const fields = {
      id: `price_ranklark_${plan}_monthly`,
      currency: 'usd',
      unit_amount,
      lookup_key: `ranklark_${plan}_monthly`,
      product: product.id,
    }
    const price = buildPrice(created, fields, { interval: 'month', interval_count: 1 })
    return { product: { ...product, default_price: price.id }, price }
  }
  const samples = [sample('Pro', 'pro', 900), sample('Agency', 'agency', 2900)]
  return { products: samples.map(({ product }) => product), prices: samples.map(({ price }) => price) }
}
