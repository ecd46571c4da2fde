import { expect } from 'vitest'
import { z } from 'zod'
import { databaseTest } from '../../../test/support/database.ts'
import { defaultConditions } from '../../core/alerting/defaults.ts'
import { alertsFile } from './export.ts'
import { createConditionsStore } from './rules/conditions-store.ts'

const test = databaseTest()

test('an alert with its findings is one alert in an export, and each of them says what it is part of', async ({
  database: { db, pool, property },
}) => {
  const id = await property('https://parts.example/')
  const { userId } = await db.selectFrom('properties').where('id', '=', id).select('userId').executeTakeFirstOrThrow()
  const figures = JSON.stringify({
    previous: 200,
    current: 20,
    change: -90,
    windows: { current: { start: '2026-03-09', end: '2026-03-15' }, base: { start: '2026-03-02', end: '2026-03-08' }, scale: 1 },
  })
  const add = async (kind: string, name: string, partOf: string | null): Promise<string> => {
    const { rows } = await pool.query<{ id: string }>(
      `INSERT INTO alerts (property_id, kind, type, comparison, entity_kind, entity_name, severity, state, part_of, figures, opened_at, judged_at)
       VALUES ($1, 'change', 'clicks', 'previous_7_days', $2, $3, 'critical', 'firing', $4, $5, now(), now()) RETURNING id`,
      [id, kind, name, partOf, figures],
    )
    return String(rows[0]?.id)
  }
  const lead = await add('page', 'https://parts.example/lamp', null)
  const part = await add('query', 'lamp', lead)
  const other = await add('query', 'rug', null)
  const pieces: string[] = []
  for await (const piece of alertsFile(db, userId).content as AsyncIterable<string>) pieces.push(piece)
  expect((JSON.parse(pieces.join('')) as { alerts: unknown[] }).alerts).toMatchObject([
    {
      id: lead,
      partOf: null,
      findings: [
        { id: lead, title: 'Clicks dropped: https://parts.example/lamp' },
        { id: part, title: 'Clicks dropped: “lamp”' },
      ],
    },
    { id: part, partOf: lead, findings: [{ id: part }] },
    { id: other, partOf: null, findings: [{ id: other }] },
  ])
})

test('an export has every rule, one at a time: each may name 50,000 characters of pages', async ({ database: { db, property } }) => {
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
