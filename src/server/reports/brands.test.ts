import { expect } from 'vitest'
import { storesTest as test } from '../../../test/support/import-stores.ts'
import { personById } from '../accounts/person.ts'
import { createReportBrands } from './brands.ts'

const operators = { arePretended: (name: string) => name.startsWith('Rank'), include: () => false }

test("a stored brand whose name would be refused today doesn't keep an agency from changing its color", async ({ stores }) => {
  const id = await stores.person()
  const brand = { name: 'Rank & Co', senderName: 'Rank', replyTo: null }
  await stores.db
    .insertInto('reportBrands')
    .values({ userId: id, ...brand, colour: '#123456', updatedAt: new Date() })
    .execute()
  const person = await personById(stores.pool, id, stores.offer)
  const brands = createReportBrands({ db: stores.db, clock: { now: () => new Date() }, operators })
  expect(await brands.save(person!, { ...brand, color: '#654321' })).toMatchObject({ brand: { name: brand.name, color: '#654321' } })
  await expect(brands.save(person!, { ...brand, name: 'Ranking', color: '#654321' })).rejects.toMatchObject({ status: 400, field: 'name' })
})
