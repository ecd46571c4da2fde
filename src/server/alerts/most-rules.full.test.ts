import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { newPerson, select, shortenHistory } from '../../../test/support/people.ts'
import { defaultConditions } from '../../core/alerting/defaults.ts'

const test = appTest({ today: '2026-03-18', demo: false })

test('the number of rules per property is limited, including copies', async ({ app }) => {
  const site = 'https://rules.example/'
  const owner = await newPerson(app, { sites: { [site]: 'empty' } })
  await shortenHistory(app, site, 1)
  await select(owner, site)
  const path = '/api/alert-conditions'
  const make = () => owner.send('POST', path, { type: 'clicks' })
  // The default rules exist by then.
  for (let rule = defaultConditions.length + 1; rule <= 50; rule += 1) expect((await make()).status).toBe(201)
  const refusal = { status: 409, body: { message: 'A property can have up to 50 rules.' } }
  expect(await make()).toMatchObject(refusal)
  const rules = (await owner.get(path)).body as { id: string }[]
  expect(rules).toHaveLength(50)
  expect(await owner.send('POST', `${path}/${rules[0]?.id}/duplicate`)).toMatchObject(refusal)
  expect((await owner.send('DELETE', `${path}/${rules[0]?.id}`)).status).toBe(204)
  expect((await make()).status).toBe(201)
})

test('the number of rules that an account adds is limited, over all of its properties', async ({ app }) => {
  const site = 'https://many-rules.example/'
  const owner = await newPerson(app, { email: 'many@example.test', sites: { [site]: 'empty' } })
  await shortenHistory(app, site, 1)
  await select(owner, site)
  const path = '/api/alert-conditions'
  const first = await owner.send('POST', path, { type: 'clicks' })
  expect(first.status).toBe(201)
  const { sql } = await app.stores()
  // What an account that once monitored them leaves behind: a hundred properties with 50 rules each.
  await sql(
    `WITH own AS (SELECT user_id FROM properties WHERE name = $1),
      more AS (INSERT INTO properties (user_id, name, kind) SELECT user_id, 'https://rules-' || n || '.example/', 'google' FROM own, generate_series(1, 100) AS n RETURNING id)
    INSERT INTO alert_conditions OVERRIDING SYSTEM VALUE SELECT copied.* FROM more, generate_series(1, 50) AS n, jsonb_populate_record(NULL::alert_conditions,
      (SELECT to_jsonb(rule) FROM alert_conditions AS rule WHERE rule.id = $2)
        || jsonb_build_object('id', 1000000 + 100 * more.id + n, 'property_id', more.id)) AS copied`,
    [site, (first.body as { id: string }).id],
  )
  const refusal = { status: 409, body: { message: 'You can add up to 5,000 rules. Delete some that you no longer need.' } }
  expect(await owner.send('POST', path, { type: 'clicks' })).toMatchObject(refusal)
  expect(await owner.send('POST', `${path}/${(first.body as { id: string }).id}/duplicate`)).toMatchObject(refusal)
  expect((await owner.send('DELETE', `${path}/${(first.body as { id: string }).id}`)).status).toBe(204)
  expect(await owner.send('POST', path, { type: 'clicks' })).toMatchObject(refusal)
  await sql(`DELETE FROM alert_conditions WHERE id IN (SELECT max(id) FROM alert_conditions)`)
  expect((await owner.send('POST', path, { type: 'clicks' })).status).toBe(201)
})
