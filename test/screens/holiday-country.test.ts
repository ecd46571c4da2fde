import { choose } from '../support/analytics-screens.ts'
import { keepRules } from '../support/answers/rules.ts'
import { shop } from '../support/answers/usual.ts'
import { expectAccessible, expectWithinWindow } from '../support/browser-accessible.ts'
import { expectText, expectToast, expectVisible } from '../support/browser-expect.ts'
import { expect, test } from '../support/screen-test.ts'

// The country whose public holidays a property has, in Alert Settings.

const countries = ['aut', 'deu', 'gbr', 'usa']

for (const [width, theme] of [
  [1_440, 'light'],
  [375, 'dark'],
] as const) {
  test(
    `the guessed country is shown, and another one is saved as it is chosen, ${width} pixels wide`,
    { tags: ['full'] },
    async ({ desk, open }) => {
      keepRules(desk)
      desk.answer('PUT /api/holiday-country', ({ body }) => ({
        chosen: (body as { country: string | null }).country,
        guessed: 'usa',
        countries,
      }))
      const page = await open('/alert-settings', { width, theme })
      const section = page.getByRole('region', { name: 'Public holidays', exact: true })
      const select = section.getByRole('combobox', { name: 'Country' })
      await expectText(select, 'Automatic: United States')
      await choose(section, page, 'Country', 'Austria')
      await expectToast(page, 'success', 'Settings Saved')
      await expectText(select, 'Austria')
      await choose(section, page, 'Country', 'Automatic: United States')
      await expectText(select, 'Automatic: United States')
      const asked = desk.asked('PUT /api/holiday-country')
      expect(asked.map(({ body }) => body)).toEqual([{ country: 'aut' }, { country: null }])
      expect(asked[0]?.query.get('property')).toBe(shop)
      await expectWithinWindow(page)
      await expectAccessible(page)
    },
  )
}

test('a country that could not be saved stays as it was, and says why', async ({ desk, open }) => {
  keepRules(desk)
  desk.refuse('PUT /api/holiday-country', 400, { message: 'Choose a country from the list.' })
  const page = await open('/alert-settings')
  const section = page.getByRole('region', { name: 'Public holidays', exact: true })
  await choose(section, page, 'Country', 'Germany')
  await expectVisible(page.getByText('Choose a country from the list.'))
  await expectText(section.getByRole('combobox', { name: 'Country' }), /^Automatic: United States/)
})
