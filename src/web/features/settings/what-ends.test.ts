import { expect, test } from 'vitest'
import { plans } from '../../../core/billing/plans.ts'
import { whatEnds } from './what-ends.ts'

test('who goes from Agency to Pro is told everything that ends', () => {
  expect(whatEnds(plans.agency, plans.pro, 7)).toEqual([
    '2 of your 7 sites will be paused; you choose which ones to keep.',
    'Alerts are sent daily or weekly, no longer real-time.',
    "You lose today's hourly data.",
    'Webhook alerts stop.',
    'Reports show the Ranklark brand instead of yours.',
    'Schedules for clients or with more than 5 recipients are paused.',
    'Shared links stop working.',
    'API access becomes read-only.',
  ])
})

test('who goes from Pro to Free is told of Slack, SMS, reports and the API', () => {
  expect(whatEnds(plans.pro, plans.free, 1)).toEqual([
    'Alerts are sent weekly, no longer daily.',
    'Slack alerts stop.',
    'SMS alerts stop.',
    'Scheduled reports stop; you can still view the monthly summary.',
    'API access ends.',
  ])
})

test('nothing ends with a larger plan', () => {
  expect(whatEnds(plans.free, plans.agency, 1)).toEqual([])
  expect(whatEnds(plans.pro, plans.agency, 5)).toEqual([])
})
