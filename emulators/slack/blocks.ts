import { z } from 'zod'

/**
 * The blocks that a message may contain and Slack's limits on them (docs.slack.dev, Block Kit reference). Objects are strict, as Slack
 * refuses unknown properties.
 */

/** Slack counts characters, not UTF-16 units. */
const upTo = (most: number) =>
  z
    .string()
    .min(1)
    .refine((value) => [...value].length <= most, `more than ${most} characters`)

const address = upTo(3000).refine((value) => /^https?:\/\//i.test(value) && URL.canParse(value), 'not an address')
const blockId = upTo(255).optional()

const plain = (most: number) => z.strictObject({ type: z.literal('plain_text'), text: upTo(most), emoji: z.boolean().optional() })
const mrkdwn = (most: number) => z.strictObject({ type: z.literal('mrkdwn'), text: upTo(most), verbatim: z.boolean().optional() })
const text = (most: number) => z.discriminatedUnion('type', [plain(most), mrkdwn(most)])

const confirm = z.strictObject({
  title: plain(100),
  text: text(300),
  confirm: plain(30),
  deny: plain(30),
  style: z.enum(['primary', 'danger']).optional(),
})

const button = z.strictObject({
  type: z.literal('button'),
  text: plain(75),
  action_id: upTo(255).optional(),
  url: address.optional(),
  value: upTo(2000).optional(),
  style: z.enum(['primary', 'danger']).optional(),
  confirm: confirm.optional(),
  accessibility_label: upTo(75).optional(),
})

const imageElement = z.strictObject({ type: z.literal('image'), image_url: address, alt_text: upTo(2000) })

const section = z
  .strictObject({
    type: z.literal('section'),
    text: text(3000).optional(),
    fields: z.array(text(2000)).min(1).max(10).optional(),
    accessory: z.discriminatedUnion('type', [button, imageElement]).optional(),
    block_id: blockId,
    expand: z.boolean().optional(),
  })
  .refine((block) => block.text !== undefined || block.fields !== undefined, 'neither text nor fields')

const header = z.strictObject({
  type: z.literal('header'),
  text: plain(150),
  block_id: blockId,
  level: z.number().int().min(1).max(4).optional(),
})

const context = z.strictObject({
  type: z.literal('context'),
  elements: z
    .array(z.discriminatedUnion('type', [plain(3000), mrkdwn(3000), imageElement]))
    .min(1)
    .max(10),
  block_id: blockId,
})

const actions = z
  .strictObject({
    type: z.literal('actions'),
    elements: z
      .array(z.discriminatedUnion('type', [button]))
      .min(1)
      .max(25),
    block_id: blockId,
  })
  .refine((block) => distinct(block.elements.map((each) => each.action_id)), 'an action_id twice')

const image = z.strictObject({
  type: z.literal('image'),
  image_url: address,
  alt_text: upTo(2000),
  title: plain(2000).optional(),
  block_id: blockId,
})

const divider = z.strictObject({ type: z.literal('divider'), block_id: blockId })

const markdown = z.strictObject({ type: z.literal('markdown'), text: upTo(12_000), block_id: blockId })

const block = z.discriminatedUnion('type', [section, header, context, actions, image, divider, markdown])

function distinct(ids: readonly (string | undefined)[]): boolean {
  const given = ids.filter((id) => id !== undefined)
  return new Set(given).size === given.length
}

export const blocks = z
  .array(block)
  .max(50)
  .refine((list) => distinct(list.map((each) => each.block_id)), 'a block_id twice')
  .refine(
    (list) => list.reduce((sum, each) => sum + (each.type === 'markdown' ? [...each.text].length : 0), 0) <= 12_000,
    'more than 12000 characters of Markdown',
  )

export type Block = z.output<typeof block>
export type Text = z.output<ReturnType<typeof text>>
export type Button = z.output<typeof button>
export type ImageElement = z.output<typeof imageElement>
