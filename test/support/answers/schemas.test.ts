import { expect, test as baseTest } from 'vitest'
import { z } from 'zod'
import { startTestApp } from '../app.ts'
import { type Route, withRouteTable } from '../route-table.ts'
import { type AskedRoute, answerSchemas } from './schemas.ts'

const test = baseTest.extend('table', { scope: 'file' }, async ({}, { onCleanup }) => {
  const { started: app, routes } = await withRouteTable(() => startTestApp({ demo: false }))
  onCleanup(() => app.close())
  return new Map<string, Route>(routes.map((route) => [`${route.method} ${route.url}`, route]))
})

/** Routes below /api/ that no screen reads as JSON. */
const notReadByScreens = []

const nothing = z.toJSONSchema(z.null())

test.for(Object.keys(answerSchemas) as AskedRoute[])(
  '%s answers screens of tests in the form in which the product answers',
  (route, { table }) => {
    const ofProduct = table.get(route)
    expect(ofProduct).toBeDefined()
    expect(z.toJSONSchema(answerSchemas[route], { io: 'input', unrepresentable: 'any' })).toEqual(ofProduct?.answer ?? nothing)
  },
)

test('whatever a screen may ask for has its answer here', ({ table }) => {
  const gets = [...table.values()].filter(({ method, url }) => method === 'GET' && url.startsWith('/api/')).map(({ url }) => `GET ${url}`)
  expect(gets.filter((route) => !(route in answerSchemas))).toEqual(notReadByScreens)
})
