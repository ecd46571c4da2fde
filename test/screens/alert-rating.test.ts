import type { Page } from 'playwright-core'
import { queryAlert } from '../support/answers/alerts.ts'
import { keepAlerts } from '../support/answers/kept-alerts.ts'
import { keepReport, reportOf } from '../support/answers/report.ts'
import { firstRules, keepRules } from '../support/answers/rules.ts'
import { expectAccessible } from '../support/browser-accessible.ts'
import { expectAttribute, expectFocused, expectGone, expectText, expectToast, expectVisible } from '../support/browser-expect.ts'
import { describe, expect, test } from '../support/screen-test.ts'

// People's ratings of alerts, and what rules learn from them.

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

describe('an alert is rated', () => {
  test('on its report by keyboard, and the timeline shows it', async ({ desk, open }) => {
    const kept = keepReport(desk, reportOf())
    const page = await open(`/alerts/${kept.report.id}`)
    await button(page, /^Real change: /).press('Enter')
    await expect.poll(() => kept.report.verdict).toBe('useful')
    await expectAttribute(button(page, /^Real change: /), 'aria-pressed', 'true')
    await expectText(page.getByRole('list', { name: 'Timeline' }).getByRole('listitem').last(), /^Rated “Real change” by ann/)
    await button(page, /^Real change: /).press(' ')
    await expect.poll(() => kept.report.verdict).toBeNull()
  })

  test('in the list; what the server refuses is undone', async ({ desk, open }) => {
    const kept = keepAlerts(desk, [queryAlert('lamps', 1)])
    const page = await open('/alerts')
    await button(page, /^Noise: /).click()
    await expect.poll(() => kept.all()[0]?.verdict).toBe('noise')
    desk.cut('POST /api/alerts/:id/verdict')
    await button(page, /^Real change: /).click()
    await expectToast(page, 'error', 'Alert Not Rated', 'The alert could not be rated. Please try again.')
    await expectAttribute(button(page, /^Noise: /), 'aria-pressed', 'true')
  })

  test.for([
    ['/alerts', 375, 'light'],
    ['/alerts?view=table', 375, 'dark'],
    ['/alerts?view=table', 1024, 'light'],
    ['/alert-history', 1440, 'dark'],
  ] as const)('%s at %i px, %s', { tags: ['full'] }, async ([address, width, theme], { desk, open }) => {
    keepAlerts(desk, [{ ...queryAlert('lamps', 1), verdict: 'noise' }, queryAlert('desks', 2)])
    const page = await open(address, { width, theme })
    await expectVisible(page.getByText('lamps').first())
    await expectAccessible(page)
  })
})

describe('the link of an email', () => {
  const asked = { title: 'Clicks dropped: /lamps', property: 'https://shop.example/', verdict: null, at: null }

  test('asks for one click, and says what was stored', async ({ desk, signIn, open }) => {
    signIn(null)
    desk.answer('GET /api/alert-verdict', asked)
    desk.answer('POST /api/alert-verdict', { ...asked, verdict: 'noise', at: '2026-03-18T12:00:00.000Z' })
    const page = await open('/alert-verdict?say=noise&token=of-a-mail', { width: 375 })
    await expectVisible(page.getByText(asked.title))
    expect(desk.asked('POST /api/alert-verdict')).toEqual([])
    await expectAccessible(page)
    await button(page, 'Confirm “Noise”').click()
    await expectFocused(page.getByRole('heading', { name: 'Thanks, your rating is saved' }))
    expect(desk.asked('POST /api/alert-verdict').map(({ query, body }) => [query.get('token'), body])).toEqual([
      ['of-a-mail', { verdict: 'noise' }],
    ])
  })

  test('says what was stored before, and allows changing it', { tags: ['full'] }, async ({ desk, open }) => {
    desk.answer('GET /api/alert-verdict', { ...asked, verdict: 'useful', at: '2026-03-18T12:00:00.000Z' })
    const page = await open('/alert-verdict?say=useful&token=of-a-mail')
    await expectVisible(page.getByText(/^Rated “Real change” .* You can change it\.$/))
    await page.getByText('Noise', { exact: true }).click()
    await expectVisible(button(page, 'Confirm “Noise”'))
  })

  test('says so if the alert is gone', { tags: ['full'] }, async ({ desk, open }) => {
    desk.refuse('GET /api/alert-verdict', 404, { message: 'This alert no longer exists.', field: 'token' })
    const page = await open('/alert-verdict?say=useful&token=of-a-mail')
    await expectVisible(page.getByText('This alert no longer exists.'))
  })
})

test('a rule says how useful its alerts were, and one click applies the settings they suggest', async ({ desk, open }) => {
  const [first, ...others] = firstRules()
  const kept = keepRules(desk, [{ ...first!, rated: { useful: 2, of: 14 } }, ...others])
  desk.answer('GET /api/alert-conditions/:id/proposal', {
    proposal: {
      change: { threshold: 31 },
      useful: { kept: 2, of: 2 },
      noise: { kept: 1, of: 12 },
      alerts: { now: 14, proposed: 3, days: 365 },
    },
  })
  const page = await open('/alert-settings')
  await expectVisible(page.getByText('2 of 14 rated alerts were useful'))
  await expectVisible(
    page.getByText(
      'It would have kept both useful alerts and dropped 11 of 12 alerts rated as noise: 3 alerts in the last 12 months instead of 14.',
    ),
  )
  await expectAccessible(page)
  desk.answer('GET /api/alert-conditions/:id/proposal', { proposal: null })
  await button(page, 'Apply: Raise the threshold to 31%').click()
  await expectToast(page, 'success', 'Settings Saved', first!.title)
  await expectGone(button(page, /^Apply: /))
  expect(kept.rules.find(({ id }) => id === first!.id)?.threshold).toBe(31)
})
