import { expect, test } from 'vitest'
import { z } from 'zod'
import { validationMessage } from './validation-message.ts'

function wordsOf(schema: z.ZodType, value: unknown): string | null {
  const issue = schema.safeParse(value).error?.issues[0]
  if (issue === undefined) return null
  const { code, message, path, ...details } = issue
  return validationMessage({ field: path.join('.'), code, message, details })
}

const schema = z.strictObject({
  name: z.string().min(1).max(3).optional(),
  days: z.number().int().min(1).max(1_000).optional(),
  ids: z.array(z.string()).min(1).max(2).optional(),
  kind: z.enum(['week', 'month']).optional(),
  length: z.literal([7, 30, 90]).optional(),
  on: z.boolean().optional(),
  start: z.iso.date().optional(),
  until: z.iso.datetime().optional(),
  address: z.email().optional(),
  subject: z.union([z.object({ client: z.string() }), z.object({ property: z.string() })]).optional(),
  code: z
    .string()
    .regex(/^\d{6}$/, 'The code has six digits')
    .optional(),
})

test.each([
  [[], 'The request must be an object.'],
  [{ name: '' }, 'name must not be empty.'],
  [{ name: 'four' }, 'name must have at most 3 characters.'],
  [{ name: 7 }, 'name must be a string.'],
  [{ days: 'x' }, 'days must be a number.'],
  [{ days: 1.5 }, 'days must be a whole number.'],
  [{ days: 0 }, 'days must be at least 1.'],
  [{ days: 1_001 }, 'days must be at most 1,000.'],
  [{ ids: [] }, 'ids must not be empty.'],
  [{ ids: ['a', 'b', 'c'] }, 'ids must have at most 2 items.'],
  [{ ids: [1] }, 'ids.0 must be a string.'],
  [{ kind: 'year' }, 'kind must be "week" or "month".'],
  [{ length: 8 }, 'length must be 7, 30 or 90.'],
  [{ on: 'yes' }, 'on must be true or false.'],
  [{ start: 'today' }, 'start must be a date such as 2026-07-31.'],
  [{ until: 'today' }, 'until must be a date and time such as 2026-07-31T14:00:00Z.'],
  [{ address: 'a' }, 'address must be a valid email address.'],
  [{ subject: {} }, 'subject is not valid.'],
  [{ other: 1 }, 'Unknown field: other.'],
  [{ code: 'x' }, 'The code has six digits'],
])('%j: %s', (value, words) => {
  expect(wordsOf(schema, value)).toBe(words)
})

test('missing fields are said to be required', () => {
  expect(wordsOf(z.object({ name: z.string() }), {})).toBe('name is required and must be a string.')
})
