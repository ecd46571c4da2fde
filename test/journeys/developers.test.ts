import { expectGone, expectToast, expectVisible } from '../support/browser-expect.ts'
import { expect, journeyTest } from '../support/journey-test.ts'
import { newPerson, select, shortenHistory } from '../support/people.ts'
import { putAlerts } from '../support/stored-alerts.ts'

const test = journeyTest({ figures: false })

test('a key is created, shown once, reads alerts through the API, and is refused once revoked', async ({ app, visitAs }) => {
  const site = 'https://agency.example/'
  const agency = await newPerson(app, { email: 'agency@example.test', plan: 'agency', sites: { [site]: 'empty' } })
  await shortenHistory(app, site, 3)
  await select(agency, site)
  await putAlerts(app, site, [{ openedAt: app.google.now().toISOString(), previous: 1_000, current: 500, change: -50 }])
  const read = (key: string) => app.visitor().get('/api/v1/alerts?state=open', { headers: { authorization: `Bearer ${key}` } })

  const page = await visitAs(agency, '/developers')
  const keys = page.getByRole('region', { name: 'API keys' })
  await keys.getByRole('button', { name: 'New key' }).click()
  const form = page.getByRole('dialog', { name: 'New key' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Looker Studio')
  await form.getByRole('radio', { name: 'Read and write' }).check()
  await form.getByRole('button', { name: 'Create key' }).click()
  const once = page.getByRole('dialog', { name: 'Your new key' })
  const shown = once.getByRole('textbox', { name: 'API key' })
  await expectVisible(shown)
  const key = await shown.inputValue()
  expect(key).toMatch(/^rk_[\w-]{43}$/)
  await once.getByRole('button', { name: 'Done' }).click()
  await expectGone(once)

  const entry = keys.getByRole('listitem').filter({ hasText: 'Looker Studio' })
  await expectVisible(entry.getByText('Read and write'), entry.getByText('Never used'), entry.getByText(`${key.slice(0, 7)}…`))
  expect(await page.content()).not.toContain(key)
  expect(await read(key)).toMatchObject({ status: 200, body: { data: [{ target: site, state: 'firing' }], next: null } })

  await page.reload()
  await expectVisible(entry.getByText('Last used today'))
  expect(await page.content()).not.toContain(key)
  await entry.getByRole('button', { name: 'Revoke Looker Studio' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  expect((await read(key)).status).toBe(200)
  await entry.getByRole('button', { name: 'Revoke Looker Studio' }).click()
  await page.getByRole('alertdialog', { name: 'Revoke this key?' }).getByRole('button', { name: 'Revoke key' }).click()
  await expectToast(page, 'success', 'Key Revoked')
  await expectVisible(keys.getByText('No keys yet'))
  expect(await read(key)).toMatchObject({ status: 401, body: { detail: expect.stringContaining('revoked') } })
})
