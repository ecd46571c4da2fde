import { keepsKeys, keyOf, secretOf } from '../support/answers/developers.ts'
import {
  expectAttribute,
  expectCount,
  expectDisabled,
  expectFocused,
  expectGone,
  expectToast,
  expectValue,
  expectVisible,
} from '../support/browser-expect.ts'
import { expect, test } from '../support/screen-test.ts'

test('a key is shown once, to be copied, and afterwards only its start', { tags: ['full'] }, async ({ desk, signIn, open }) => {
  signIn({ plan: 'agency' })
  keepsKeys(desk, 'agency')
  const page = await open('/developers')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const keys = page.getByRole('region', { name: 'API keys' })
  const { origin } = new URL(page.url())
  await expectVisible(keys.getByText('No keys yet'), page.getByText(`${origin}/mcp`, { exact: true }))
  expect(await page.getByRole('figure', { name: 'curl request' }).innerText()).toContain(`curl "${origin}/api/v1/alerts?state=open"`)
  await expectAttribute(page.getByRole('link', { name: 'API reference' }), 'href', '/api/docs')

  await keys.getByRole('button', { name: 'New key' }).click()
  const form = page.getByRole('dialog', { name: 'New key' })
  await form.getByRole('button', { name: 'Create key' }).click()
  await expectVisible(form.getByText('Enter a name for the key'))
  await form.getByRole('textbox', { name: 'Name' }).fill('Looker Studio')
  await form.getByRole('radio', { name: 'Read and write' }).check()
  await form.getByRole('combobox', { name: 'Expires' }).click()
  await page.getByRole('option', { name: '1 year' }).click()
  await form.getByRole('button', { name: 'Create key' }).click()
  const once = page.getByRole('dialog', { name: 'Your new key' })
  const key = secretOf('Looker Studio')
  await expectVisible(once.getByRole('textbox', { name: 'API key' }))
  await expectValue(once.getByRole('textbox', { name: 'API key' }), key)
  await expect
    .poll(() => desk.asked('POST /api/keys').map(({ body }) => body))
    .toEqual([{ name: 'Looker Studio', scope: 'write', days: 365 }])
  await once.getByRole('button', { name: 'Copy key' }).click()
  await expectVisible(once.getByText('Copied'))
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
  await once.getByRole('button', { name: 'Done' }).click()
  await expectGone(once)
  await expectFocused(keys.getByRole('button', { name: 'New key' }))

  const entry = keys.getByRole('listitem').filter({ hasText: 'Looker Studio' })
  await expectVisible(entry.getByText('Read and write'), entry.getByText('Never used'), entry.getByText(`${key.slice(0, 7)}…`))
  expect(await page.content()).not.toContain(key)
})

test('a key is revoked after confirmation, not by dismissing it', { tags: ['full'] }, async ({ desk, signIn, open }) => {
  signIn({ plan: 'agency' })
  keepsKeys(desk, 'agency', [keyOf()])
  const page = await open('/developers')
  const keys = page.getByRole('region', { name: 'API keys' })
  const revoke = keys.getByRole('button', { name: 'Revoke Looker Studio' })
  await revoke.click()
  await page.getByRole('alertdialog', { name: 'Revoke this key?' }).getByRole('button', { name: 'Cancel' }).click()
  await expectGone(page.getByRole('alertdialog'))
  expect(desk.asked('DELETE /api/keys/:id')).toEqual([])
  await revoke.click()
  await page.getByRole('alertdialog', { name: 'Revoke this key?' }).getByRole('button', { name: 'Revoke key' }).click()
  await expectToast(page, 'success', 'Key Revoked')
  await expectVisible(keys.getByText('No keys yet'))
})

test('Pro can only read', { tags: ['full'] }, async ({ desk, signIn, open }) => {
  signIn({ plan: 'pro' })
  keepsKeys(desk, 'pro')
  const page = await open('/developers')
  await page.getByRole('region', { name: 'API keys' }).getByRole('button', { name: 'New key' }).click()
  const form = page.getByRole('dialog', { name: 'New key' })
  await expectVisible(form.getByText('Available on the Agency plan'))
  await expectDisabled(form.getByRole('radio', { name: 'Read and write' }))
  await form.getByRole('textbox', { name: 'Name' }).fill('Reader')
  await page.keyboard.press('Enter')
  await expectVisible(page.getByRole('dialog').getByRole('textbox', { name: 'API key' }))
  await expect.poll(() => desk.asked('POST /api/keys').map(({ body }) => body)).toEqual([{ name: 'Reader', scope: 'read', days: 90 }])
})

test('on Free there is no API, and remaining keys can be revoked', { tags: ['full'] }, async ({ desk, signIn, open }) => {
  signIn({ plan: 'free' })
  keepsKeys(desk, 'free', [keyOf({ name: 'Reader' })])
  const page = await open('/developers')
  const keys = page.getByRole('region', { name: 'API keys' })
  const locked = page.getByRole('region', { name: 'An API for your own apps' })
  await expectVisible(locked.getByText('Available on Pro and Agency plans'), keys.getByText('Reader'))
  await expectAttribute(locked.getByRole('link', { name: 'See plans' }), 'href', '/settings')
  await expectCount(keys.getByRole('button', { name: 'New key' }), 0)
  await keys.getByRole('button', { name: 'Revoke Reader' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click()
  await expectGone(keys)
})
