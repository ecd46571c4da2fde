import { expect, test } from 'vitest'
import { namesForStrangers } from './names-for-strangers.ts'

test.each(['1-800-GET-CASH', 'I-8OO-GET-CASH', 'Call-8OO-SSS-OIOI', 'Refund-ȢЗЗ-ƼOl-OlOƼ', 'call.ІІО_ООО'])(
  '%s may be a phone number',
  (name) => expect(namesForStrangers([name])).toEqual([null]),
)

test.each(['Bob', 'Oslo', 'Bob.Gill', 'anna1987', 'anna.lindqvist1987', 'agency-2026', '24seven-seo', 'Zoo', 'Ольга', 'O2-Partner', 'Зоя'])(
  '%s is just a name',
  (name) => expect(namesForStrangers([name])).toEqual([name]),
)

test('the digits in a list count together, including letters that look like digits', () => {
  expect(namesForStrangers(['call-8', 'then-OO', 'then-SSS', 'at-once'])).toEqual([null, null, null, 'at-once'])
})

test('a list whose names together are long enough for a message shows none of them', () => {
  const message = ['Your-search-data-leaked', 'write-to-Telegram-user', 'secdesk-within-one-day']
  expect(namesForStrangers(message)).toEqual([null, null, null])
  expect(namesForStrangers(message.slice(1))).toEqual(message.slice(1))
  expect(namesForStrangers(['anna', 'anna-shop', null, 'anna-at-home', 'annas-agency'])).toEqual([
    'anna',
    'anna-shop',
    null,
    'anna-at-home',
    'annas-agency',
  ])
})
