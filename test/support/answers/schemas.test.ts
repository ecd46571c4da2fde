import { expect, test as baseTest } from 'vitest'
import { z } from 'zod'
import { startTestApp } from '../app.ts'
import { type Route, withRouteTable } from '../route-table.ts'
import { type AskedRoute, answerSchemas } from './schemas.ts'

/** The routes of the product, by method and path. */
const test = baseTest.extend('product', { scope: 'file' }, async ({}, { onCleanup }) => {
  const { started: app, routes } = await withRouteTable(() => startTestApp({ demo: false }))
  onCleanup(() => app.close())
  return new Map<string, Route>(routes.map((route) => [`${route.method} ${route.url}`, route]))
})

const nothing = z.toJSONSchema(z.null())

test.for(Object.keys(answerSchemas) as AskedRoute[])(
  'what screens of tests are told of %s is what the product answers',
  (route, { product }) => {
    expect([...product.keys()]).toContain(route)
    expect(z.toJSONSchema(answerSchemas[route], { io: 'input', unrepresentable: 'any' })).toEqual(product.get(route)?.answer ?? nothing)
  },
)

/** What no screen reads: files and pages that the browser opens by itself, and what programs ask. */
const notRead = [
  'GET /api/auth/google',
  'GET /api/auth/google/callback',
  'GET /api/docs',
  'GET /api/internal/hand-over',
  'GET /api/report-recipient',
  'GET /api/report-unsubscribe',
]
const isRead = (route: string): boolean => !/^GET \/api\/v1\/|\.(csv|pdf)$/.test(route) && !notRead.includes(route)

test('whatever a screen may read of the product can be told to screens of tests', ({ product }) => {
  const readable = [...product.keys()].filter((route) => route.startsWith('GET /api/') && isRead(route))
  expect(readable.length).toBeGreaterThan(40)
  expect(readable.filter((route) => !(route in answerSchemas))).toEqual([])
})
