import { expect, test } from 'vitest'
import { plans } from '../../../core/billing/plans.ts'
import { whatEnds } from './what-ends.ts'

test('going from Agency to Pro lists everything that ends', () => {
  expect(whatEnds(plans.agency, plans.pro, 7)).toEqual([
    '2 of your 7 sites will be paused; you choose which ones to keep.',
    "You'll get daily or weekly alerts; real-time alerts stop.",
    'Hourly data stops.',
    'Webhook alerts stop.',
    'Reports show the Ranklark brand instead of yours.',
    'Schedules for clients or with more than 5 recipients are paused.',
    'Shared links stop working.',
    'API access becomes read-only.',
  ])
})

test('going from Pro to Free lists Slack, SMS, reports and the API', () => {
  expect(whatEnds(plans.pro, plans.free, 1)).toEqual([
    "You'll get weekly alerts; daily alerts stop.",
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
