import { expect, test } from 'vitest'
import { plans } from '../../../core/billing/plans.ts'
import { whatEnds } from './what-ends.ts'

test('who goes from Agency to Pro is told everything that ends', () => {
  expect(whatEnds(plans.agency, plans.pro, 7)).toEqual([
    '2 of your 7 sites will be paused; you choose which stay.',
    'Alerts come daily or weekly, no longer real-time.',
    'There are no figures of today by the hour.',
    'Alerts no longer go to your webhook.',
    'Reports carry our name instead of your brand.',
    'Schedules for clients, or for more than 5 recipients, are paused.',
    'Links to reports that you shared lead nowhere.',
    'The API can only be read.',
  ])
})

test('who goes from Pro to Free is told of Slack, SMS, reports and the API', () => {
  expect(whatEnds(plans.pro, plans.free, 1)).toEqual([
    'Alerts come weekly, no longer daily.',
    'Alerts no longer go to Slack.',
    'Critical alerts no longer come by SMS.',
    'No reports are sent on a schedule; the monthly summary stays on screen.',
    'There is no API access any more.',
  ])
})

test('nothing ends with a larger plan', () => {
  expect(whatEnds(plans.free, plans.agency, 1)).toEqual([])
  expect(whatEnds(plans.pro, plans.agency, 5)).toEqual([])
})
