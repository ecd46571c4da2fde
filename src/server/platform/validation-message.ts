type Details = {
  expected?: string
  values?: readonly unknown[]
  origin?: string
  minimum?: number | bigint
  maximum?: number | bigint
  inclusive?: boolean
  format?: string
  keys?: readonly string[]
}

/** A zod issue. */
export type Issue = { field: string; code: string | undefined; message: string; details: object }

/** zod's default messages: about types and sizes, without naming a field. */
const ofZod = /^(Invalid|Too big:|Too small:|Unrecognized)/

/** Which field is wrong and what would be right, in the contract's words if it has any. */
export function validationMessage({ field, code, message, details }: Issue): string {
  if (!ofZod.test(message)) return message
  const name = field === '' ? 'The request' : field
  const { expected = '', values = [], format = '', keys = [], ...bounds } = details as Details
  switch (code) {
    case 'invalid_type':
      return `${name} ${message.endsWith('received undefined') ? 'is required and ' : ''}must be ${kinds[expected] ?? expected}.`
    case 'invalid_value':
      return `${name} must be ${oneOf(values)}.`
    case 'too_small':
    case 'too_big':
      return `${name} must ${sizeWords(code, bounds)}.`
    case 'invalid_format':
      return `${name} ${formats[format] ?? 'has the wrong format'}.`
    case 'unrecognized_keys':
      return `Unknown field: ${(keys[0] ?? '').slice(0, 100)}.`
    default:
      return `${name} is not valid.`
  }
}

const kinds: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

const formats: Record<string, string> = {
  date: 'must be a date such as 2026-07-31',
  datetime: 'must be a date and time such as 2026-07-31T14:00:00Z',
  email: 'must be a valid email address',
  url: 'must be a valid URL',
}

function oneOf(values: readonly unknown[]): string {
  const words = values.map((value) => JSON.stringify(value))
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

const units: Record<string, string> = { string: 'character', array: 'item' }

function sizeWords(code: 'too_small' | 'too_big', { origin = '', minimum, maximum, inclusive = true }: Details): string {
  const bound = (code === 'too_small' ? minimum : maximum) ?? 0
  const unit = units[origin]
  if (unit !== undefined && code === 'too_small' && Number(bound) === 1) return 'not be empty'
  const side = code === 'too_small' ? (inclusive ? 'at least' : 'more than') : inclusive ? 'at most' : 'less than'
  const amount = `${side} ${bound.toLocaleString('en-US')}`
  return unit === undefined ? `be ${amount}` : `have ${amount} ${unit}${Number(bound) === 1 ? '' : 's'}`
}
