import { expect, test } from 'vitest'
import { openBench } from './testing.ts'

const long = (length: number): string => 'é'.repeat(length)
const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } })
const button = (more: object = {}) => ({ type: 'button', text: { type: 'plain_text', text: 'Open' }, ...more })
const actions = (...elements: object[]) => ({ type: 'actions', elements })
const header = (text: string, type = 'plain_text') => ({ type: 'header', text: { type, text } })
const fields = (count: number, length = 1) => ({
  type: 'section',
  fields: Array.from({ length: count }, () => ({ type: 'mrkdwn', text: long(length) })),
})
const context = (count: number) => ({ type: 'context', elements: Array.from({ length: count }, () => ({ type: 'mrkdwn', text: 'x' })) })
const image = { type: 'image', image_url: 'https://rank.example/spark.png', alt_text: 'Clicks of 28 days' }
const times = (count: number, block: object): object[] => Array.from({ length: count }, () => block)

const ALLOWED: Record<string, object[]> = {
  'the most blocks': times(50, { type: 'divider' }),
  'the longest section': [section(long(3000))],
  'characters, not UTF-16 units': [section('🔥'.repeat(3000))],
  'the longest header': [header(long(150))],
  'the most and longest fields': [fields(10, 2000)],
  'the most context elements': [context(10)],
  'an image, in a block and beside a section': [image, { ...section('x'), accessory: image }],
  'a button with an address': [actions(button({ url: `https://rank.example/${'a'.repeat(2979)}`, style: 'primary', action_id: 'open' }))],
  'the most buttons': [actions(...times(25, button()))],
  Markdown: [{ type: 'markdown', text: long(12_000) }],
}

const REFUSED: Record<string, [object[], RegExp]> = {
  'one block too many': [times(51, { type: 'divider' }), /^blocks: /],
  'a section too long': [[section(long(3001))], /blocks\.0\.text\.text: more than 3000/],
  'an empty section': [[section('')], /blocks\.0\.text\.text/],
  'a section with neither text nor fields': [[{ type: 'section' }], /neither text nor fields/],
  'a header too long': [[header(long(151))], /more than 150/],
  'a header with markup': [[header('x', 'mrkdwn')], /blocks\.0\.text\.type/],
  'one field too many': [[fields(11)], /blocks\.0\.fields/],
  'a field too long': [[fields(1, 2001)], /more than 2000/],
  'one context element too many': [[context(11)], /blocks\.0\.elements/],
  'no context elements': [[context(0)], /blocks\.0\.elements/],
  'a button text too long': [[actions(button({ text: { type: 'plain_text', text: long(76) } }))], /more than 75/],
  'an address too long': [[actions(button({ url: `https://rank.example/${'a'.repeat(2980)}` }))], /more than 3000/],
  'an address that is none': [[actions(button({ url: '/alerts/1' }))], /not an address/],
  'an address that is a script': [[actions(button({ url: 'javascript:alert(1)' }))], /not an address/],
  'an unknown style': [[actions(button({ style: 'loud' }))], /style/],
  'an action_id twice': [[actions(button({ action_id: 'a' }), button({ action_id: 'a' }))], /an action_id twice/],
  'a block_id twice': [times(2, { type: 'divider', block_id: 'a' }), /a block_id twice/],
  'an image without alternative text': [[{ type: 'image', image_url: image.image_url }], /alt_text/],
  'an unknown type': [[{ type: 'chart', data: [] }], /blocks\.0\.type/],
  'an unknown property': [[{ type: 'divider', colour: 'red' }], /colour/],
  'emoji in mrkdwn': [[{ type: 'section', text: { type: 'mrkdwn', text: 'x', emoji: true } }], /emoji/],
}

test.each(Object.keys(ALLOWED))('accepts %s', async (name) => {
  const { post } = await openBench()
  expect(await post({ text: 'x', blocks: ALLOWED[name] })).toMatchObject({ status: 200, text: 'ok' })
})

test.each(Object.keys(REFUSED))('refuses %s', async (name) => {
  const { post, control, messages } = await openBench()
  const [blocks, why] = REFUSED[name] ?? [[], /never/]
  expect(await post({ text: 'x', blocks })).toMatchObject({ status: 400, text: 'invalid_blocks' })
  expect((await control('GET', 'requests')).last[0]?.problem).toMatch(why)
  expect(await messages()).toEqual([])
})

test('blocks in attachments follow the same rules', async () => {
  const { post } = await openBench()
  expect((await post({ attachments: [{ color: '#e01e5a', blocks: [section(long(3000))] }] })).text).toBe('ok')
  expect((await post({ attachments: [{ blocks: [section(long(3001))] }] })).text).toBe('invalid_blocks')
})

test("blocks that aren't an array of objects have their own error", async () => {
  const { post } = await openBench()
  for (const blocks of ['[]', {}, ['divider']]) expect((await post({ text: 'x', blocks })).text).toBe('invalid_blocks_format')
})
