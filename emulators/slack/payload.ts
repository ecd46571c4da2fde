import { z } from 'zod'
import type { Call } from '../lib/http.ts'
import { type Block, blocks } from './blocks.ts'
import type { ErrorName } from './errors.ts'

/** Slack truncates anything longer. */
const LONGEST_TEXT = 40_000
const MOST_ATTACHMENTS = 100

export interface Attachment {
  /** `good`, `warning`, `danger` or a hex value; the bar at its side. */
  readonly color: string | null
  readonly text: string
  readonly blocks: readonly Block[]
}

export interface Content {
  readonly text: string
  readonly blocks: readonly Block[]
  readonly attachments: readonly Attachment[]
}

/** A message that Slack rejects, and why. */
export class Refused extends Error {
  readonly error: ErrorName

  constructor(error: ErrorName, problem: string) {
    super(problem)
    this.error = error
  }
}

const optionalText = z.string().nullish()
const attachment = z.looseObject({
  color: optionalText,
  text: optionalText,
  fallback: optionalText,
  title: optionalText,
  blocks: z.unknown().optional(),
})
const payload = z.looseObject({ text: optionalText, blocks: z.unknown().optional(), attachments: z.array(attachment).nullish() })

/** A call's JSON: its body, or the `payload` field of a form. */
function jsonOf({ headers, body }: Call): unknown {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
  const text = type === 'application/x-www-form-urlencoded' ? new URLSearchParams(body).get('payload') : body
  if (text === null) throw new Refused('invalid_payload', 'a form without the field payload')
  if (type !== 'application/json' && type !== 'application/x-www-form-urlencoded') {
    throw new Refused('invalid_payload', `the content type is ${type || 'missing'}`)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new Refused('invalid_payload', 'not JSON')
  }
}

function blocksOf(value: unknown, where: string): Block[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || value.some((each) => typeof each !== 'object' || each === null)) {
    throw new Refused('invalid_blocks_format', `${where} is not an array of objects`)
  }
  const checked = blocks.safeParse(value)
  if (checked.success) return checked.data
  const problems = checked.error.issues.map((issue) => `${[where, ...issue.path].join('.')}: ${issue.message}`)
  throw new Refused('invalid_blocks', problems.join('; '))
}

/** A call's message, or a `Refused`. */
export function readPayload(call: Call): Content {
  const checked = payload.safeParse(jsonOf(call))
  if (!checked.success) throw new Refused('invalid_payload', z.prettifyError(checked.error))
  const { data } = checked
  const given = data.attachments ?? []
  if (given.length > MOST_ATTACHMENTS) throw new Refused('too_many_attachments', `${given.length} attachments`)
  const content = {
    text: (data.text ?? '').slice(0, LONGEST_TEXT),
    blocks: blocksOf(data.blocks, 'blocks'),
    attachments: given.map((each, index) => ({
      color: each.color ?? null,
      text: [each.title, each.text ?? each.fallback].filter(Boolean).join('\n'),
      blocks: blocksOf(each.blocks, `attachments.${index}.blocks`),
    })),
  }
  const said = content.text.trim() !== '' || content.blocks.length > 0
  if (!said && !content.attachments.some((each) => each.text !== '' || each.blocks.length > 0)) {
    throw new Refused('no_text', 'neither text nor blocks nor attachments')
  }
  return content
}
