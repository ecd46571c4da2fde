import { expect, test } from 'vitest'
import { pretends } from './sender-name.ts'

const operators = ['Ranklark', 'Search Desk', 'reports.desk.example', 'AB']

test.each([
  'Ranklark',
  'RANK LARK Support',
  'Ranklаrk billing', // a Cyrillic а
  'R4nk-1ark',
  'Ránklark',
  'Ｒａｎｋｌａｒｋ',
  'Rank\u200blark',
  'The Search Desk team',
  'reports.desk.example',
  'no-reply@bank.example',
  'ab',
])('%s could be mistaken for the operator, or for an address', (name) => expect(pretends(name, operators)).toBe(true))

test.each(['North Reports', 'North & Co', 'Abel Search', 'Lark & Sons', 'Ραν', '北レポート'])('%s is a distinct name', (name) =>
  expect(pretends(name, operators)).toBe(false),
)
