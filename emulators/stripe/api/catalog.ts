import { z } from 'zod'
import { buildPrice, buildProduct } from '../objects/catalog.ts'
import { wrongParam } from '../wire/errors.ts'
import { pageOf } from '../wire/paging.ts'
import { expand, flag, integer, mergeMetadata, metadata, paging, parseParams, text, unsettable } from '../wire/params.ts'
import type { World } from '../world.ts'
import type { Route } from './context.ts'

const retrieveParams = z.strictObject({ expand })

const productFields = { active: flag.optional(), description: unsettable.optional(), metadata: metadata.optional(), expand }
const productCreate = z.strictObject({ ...productFields, id: text.optional(), name: text })
const productUpdate = z.strictObject({ ...productFields, name: text.optional() })
const productList = z.strictObject({ ...paging, active: flag.optional(), ids: z.array(text).optional() })

const priceFields = {
  active: flag.optional(),
  lookup_key: text.optional(),
  transfer_lookup_key: flag.optional(),
  nickname: text.optional(),
  metadata: metadata.optional(),
  expand,
}
const priceCreate = z.strictObject({
  ...priceFields,
  currency: text,
  unit_amount: integer,
  product: text.optional(),
  product_data: z.strictObject({ name: text, metadata: metadata.optional() }).optional(),
  recurring: z
    .strictObject({
      interval: z.enum(['day', 'week', 'month', 'year']),
      interval_count: integer.default(1),
      usage_type: z.enum(['licensed']).optional(),
    })
    .optional(),
  billing_scheme: z.enum(['per_unit']).optional(),
  tax_behavior: z.enum(['inclusive', 'exclusive', 'unspecified']).optional(),
})
const priceUpdate = z.strictObject(priceFields)
const priceList = z.strictObject({
  ...paging,
  active: flag.optional(),
  currency: text.optional(),
  product: text.optional(),
  type: z.enum(['recurring', 'one_time']).optional(),
  lookup_keys: z.array(text).optional(),
  recurring: z.strictObject({ interval: text.optional(), usage_type: text.optional() }).optional(),
})

/** A lookup key names at most one price. */
function takeLookupKey(world: World, key: string | undefined, transfer: boolean, ownId?: string): void {
  const holder = key === undefined ? undefined : world.store.all('price').find((price) => price.lookup_key === key && price.id !== ownId)
  if (!holder) return
  if (!transfer) {
    throw wrongParam(`A price (\`${holder.id}\`) already uses that lookup key.`, 'lookup_key', 'resource_already_exists')
  }
  world.change(holder, 'price.updated', (changed) => (changed.lookup_key = null))
}

export const catalogRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/products',
    run: ({ world, params: form }) => {
      const { expand: _expand, metadata: given, active, description, id, name } = parseParams(productCreate, form)
      if (id !== undefined && world.store.find('product', id)) throw wrongParam('Product already exists.', 'id', 'resource_already_exists')
      const fields = {
        name,
        active: active ?? true,
        description: description ?? null,
        metadata: mergeMetadata({}, given),
        ...(id ? { id } : {}),
      }
      return world.create('product', buildProduct(world.clock.seconds(), fields))
    },
  },
  {
    method: 'GET',
    path: '/v1/products',
    run: ({ world, params: form }) => {
      const params = parseParams(productList, form)
      const products = world.store.all('product')
      return pageOf(
        products.filter(
          ({ id, active }) => (params.ids?.includes(id) ?? true) && (params.active === undefined || params.active === active),
        ),
        params,
        '/v1/products',
      )
    },
  },
  {
    method: 'GET',
    path: '/v1/products/:',
    run: ({ world, params }, id) => {
      parseParams(retrieveParams, params)
      return world.store.get('product', id)
    },
  },
  {
    method: 'POST',
    path: '/v1/products/:',
    run: ({ world, params: form }, id) => {
      const params = parseParams(productUpdate, form)
      return world.change(world.store.get('product', id), 'product.updated', (changed) => {
        if (params.name !== undefined) changed.name = params.name
        if (params.active !== undefined) changed.active = params.active
        if (params.description !== undefined) changed.description = params.description
        changed.metadata = mergeMetadata(changed.metadata, params.metadata)
        changed.updated = world.clock.seconds()
      })
    },
  },
  {
    method: 'POST',
    path: '/v1/prices',
    run: ({ world, params: form }) => {
      const params = parseParams(priceCreate, form)
      if (params.product === undefined && params.product_data === undefined) {
        throw wrongParam('You must specify either `product` or `product_data` when creating a price.', 'product', 'parameter_missing')
      }
      takeLookupKey(world, params.lookup_key, params.transfer_lookup_key ?? false)
      const now = world.clock.seconds()
      const { product_data: made } = params
      const product = made
        ? world.create('product', buildProduct(now, { name: made.name, metadata: mergeMetadata({}, made.metadata) }))
        : world.store.get('product', params.product ?? '', 'product')
      const fields = {
        active: params.active ?? true,
        currency: params.currency.toLowerCase(),
        unit_amount: params.unit_amount,
        product: product.id,
        lookup_key: params.lookup_key ?? null,
        nickname: params.nickname ?? null,
        metadata: mergeMetadata({}, params.metadata),
        tax_behavior: params.tax_behavior ?? ('unspecified' as const),
      }
      const { recurring } = params
      return world.create(
        'price',
        buildPrice(now, fields, recurring ? { interval: recurring.interval, interval_count: recurring.interval_count } : null),
      )
    },
  },
  {
    method: 'GET',
    path: '/v1/prices',
    run: ({ world, params: form }) => {
      const params = parseParams(priceList, form)
      const prices = world.store
        .all('price')
        .filter(
          (price) =>
            (params.active === undefined || price.active === params.active) &&
            (params.currency === undefined || price.currency === params.currency) &&
            (params.product === undefined || price.product === params.product) &&
            (params.type === undefined || price.type === params.type) &&
            (params.recurring?.interval === undefined || price.recurring?.interval === params.recurring.interval) &&
            (params.lookup_keys === undefined || (price.lookup_key !== null && params.lookup_keys.includes(price.lookup_key))),
        )
      return pageOf(prices, params, '/v1/prices')
    },
  },
  {
    method: 'GET',
    path: '/v1/prices/:',
    run: ({ world, params }, id) => {
      parseParams(retrieveParams, params)
      return world.store.get('price', id)
    },
  },
  {
    method: 'POST',
    path: '/v1/prices/:',
    run: ({ world, params: form }, id) => {
      const params = parseParams(priceUpdate, form)
      const price = world.store.get('price', id)
      takeLookupKey(world, params.lookup_key, params.transfer_lookup_key ?? false, id)
      return world.change(price, 'price.updated', (changed) => {
        if (params.active !== undefined) changed.active = params.active
        if (params.lookup_key !== undefined) changed.lookup_key = params.lookup_key
        if (params.nickname !== undefined) changed.nickname = params.nickname
        changed.metadata = mergeMetadata(changed.metadata, params.metadata)
      })
    },
  },
]
