import { expect } from 'vitest'
import { z } from 'zod'
import { databaseTest } from '../../../test/support/database.ts'
import { defaultConditions } from '../../core/alerting/defaults.ts'
import { alertsFile } from './export.ts'
import { createConditionsStore } from './rules/conditions-store.ts'

databaseTest()('an export has every rule, one at a time: each may name 50,000 letters of pages', async ({ database: { db, property } }) => {
  const store = createConditionsStore(db)
  const id = await property('https://long.example/')
  const [rule] = defaultConditions
  if (!rule) throw new Error('There are no rules to start from')
  const targets = Array.from({ length: 25 }, (_, at) => `https://long.example/${at}/${'a'.repeat(1_970)}`)
  const count = 30
  for (let at = 0; at < count; at += 1) await store.create(id, { ...rule, monitor: 'pages', targets, title: `Rule ${at}` }, new Date())
  const { userId } = await db.selectFrom('properties').where('id', '=', id).select('userId').executeTakeFirstOrThrow()
  const pieces: string[] = []
  for await (const piece of alertsFile(db, userId).content as AsyncIterable<string>) pieces.push(piece)
  const exported = z.object({ rules: z.array(z.object({ title: z.string(), targets: z.array(z.string()) })), alerts: z.array(z.unknown()) })
  const { rules } = exported.parse(JSON.parse(pieces.join('')))
  expect(rules.map(({ title }) => title)).toEqual(Array.from({ length: count }, (_, at) => `Rule ${at}`))
  expect(rules.at(-1)?.targets).toEqual(targets)
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(60_000)
})
