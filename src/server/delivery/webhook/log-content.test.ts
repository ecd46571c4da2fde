import { expect, test } from 'vitest'
import type { MessageItem } from '../message.ts'
import { contentOf } from './log.ts'

const alerts = (...events: MessageItem['event'][]) => contentOf({ kind: 'alerts', events })

test("a message's content is summarized by its events", () => {
  expect(alerts('opened')).toBe('1 alert opened')
  expect(alerts('opened', 'opened', 'recovered')).toBe('2 alerts opened, 1 ended')
  expect(alerts('woken')).toBe('1 alert no longer snoozed')
  // It may have been critical all along.
  expect(alerts('worsened')).toBe('1 alert got worse')
  expect(contentOf({ kind: 'test', events: [] })).toBe('Test message')
  expect(contentOf({ kind: 'digest', events: [] })).toBe('Site summary')
  expect(contentOf({ kind: 'alerts', events: null })).toBe('Content no longer stored')
})
