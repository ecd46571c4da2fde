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
