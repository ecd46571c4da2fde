import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../config.ts'
import { Refusal } from '../../common/errors.ts'
import { checkedSlackUrl, shownSlackUrl } from './slack-url.ts'

const real = parseConfig({}).slack
const good = 'https://hooks.slack.com/services/T0RANK1/B0LARK2/abcdefghijklmnopqrstx3Kd'

function refusalOf(typed: string, config = real): Refusal {
  try {
    checkedSlackUrl(config, typed)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error(`${typed} was taken`)
}

test('an incoming webhook URL is accepted', () => {
  expect(checkedSlackUrl(real, good)).toBe(good)
  expect(checkedSlackUrl(real, `  ${good.replace('https://hooks', 'HTTPS://HOOKS')}\n`)).toBe(good)
  expect(checkedSlackUrl(real, good.replace('.com/', '.com:443/'))).toBe(good)
})

describe('nothing else is', () => {
  test.each([
    ['https://example.com/services/T0RANK1/B0LARK2/abc', 'Only Slack URLs work here'],
    ['https://hooks.slack.com.evil.example/services/T0RANK1/B0LARK2/abc', 'Only Slack URLs work here'],
    ['https://hooks.slack.com@evil.example/services/T0RANK1/B0LARK2/abc', 'Only Slack URLs work here'],
    ['https://hooks.slack.com:8443/services/T0RANK1/B0LARK2/abc', 'Only Slack URLs work here'],
    ['http://127.0.0.1/services/T0RANK1/B0LARK2/abc', 'Only Slack URLs work here'],
    ['http://hooks.slack.com/services/T0RANK1/B0LARK2/abc', 'must start with https://'],
    ['https://hooks.slack.com/workflows/T0RANK1/A0/1/2', 'workflow URL'],
    ['https://hooks.slack.com/triggers/T0RANK1/1/2', 'workflow URL'],
    ['https://hooks.slack.com/services/T0RANK1/B0LARK2', "isn't an incoming webhook URL"],
    ['https://hooks.slack.com/services/X0RANK1/B0LARK2/abc', "isn't an incoming webhook URL"],
    ['https://hooks.slack.com/services/T0RANK1/B0LARK2/abc/..%2F..%2Fapi', "isn't an incoming webhook URL"],
    ['https://hooks.slack.com/services/../api/chat.postMessage', "isn't an incoming webhook URL"],
    [`${good}?x=1`, "isn't an incoming webhook URL"],
    [`${good}#x`, "isn't an incoming webhook URL"],
    [good.replace('://', '://me:secret@'), "isn't an incoming webhook URL"],
    ['hooks.slack.com/services/T0RANK1/B0LARK2/abc', 'Paste the full URL'],
    ['#general', 'Paste the full URL'],
  ])('%s', (typed, message) => {
    expect(refusalOf(typed)).toMatchObject({
      status: 400,
      field: 'webhookUrl',
      message: expect.stringContaining(message.replace('’', "'")),
    })
  })
})

test('if another Slack host is configured, only that one is accepted', () => {
  const own = parseConfig({ SLACK_URL: 'https://slack.internal:8443/gateway' }).slack
  expect(checkedSlackUrl(own, 'https://slack.internal:8443/gateway/services/T1/B1/abc')).toBe(
    'https://slack.internal:8443/gateway/services/T1/B1/abc',
  )
  expect(refusalOf('https://slack.internal:8443/services/T1/B1/abc', own).message).toContain(
    'https://slack.internal:8443/gateway/services/T…',
  )
  expect(refusalOf(good, own).message).toContain('https://slack.internal:8443/gateway/services/')
})

test('at most its last four characters are shown', () => {
  expect(shownSlackUrl(good)).toBe('hooks.slack.com/…/x3Kd')
  expect(shownSlackUrl('https://hooks.slack.com/services/T1/B1/abcdefgh')).toBe('hooks.slack.com/…/gh')
  expect(shownSlackUrl('https://hooks.slack.com/services/T1/B1/abc')).toBe('hooks.slack.com/…/')
})
