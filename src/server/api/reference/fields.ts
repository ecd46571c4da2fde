import type { Parameter } from '../openapi/parameters.ts'
import type { JsonSchema } from '../openapi/schemas.ts'
import { type Html, html, prose } from './html.ts'

export const objectAnchor = (name: string): string => `object-${name}`
const nameOf = (address: string): string => address.split('/').at(-1) ?? ''

export const objectLink = (address: string): Html => html`<a href="#${objectAnchor(nameOf(address))}">${nameOf(address)}</a>`

/** The type of a value, in a few words. */
function kindOf(schema: JsonSchema): Html {
  if (schema.$ref !== undefined) return objectLink(schema.$ref)
  if (schema.anyOf) return joined(schema.anyOf.map(kindOf))
  if (schema.type === 'array') return html`list of ${schema.items ? kindOf(schema.items) : 'values'}`
  if (schema.enum) return html`${schema.enum.map((value) => JSON.stringify(value)).join(', ')}`
  if (schema.format !== undefined) return html`${schema.format}`
  return html`${[schema.type ?? 'anything'].flat().join(' or ')}`
}

const joined = (parts: readonly Html[]): Html => ({ html: parts.map(({ html: each }) => each).join(' or ') })

/** The bounds and the default, if any. */
function boundsOf({ minimum, maximum, minLength, maxLength, maxItems, default: usual }: JsonSchema): string {
  const said = [
    typeof minimum === 'number' &&
      typeof maximum === 'number' &&
      `${minimum.toLocaleString('en-US')} to ${maximum.toLocaleString('en-US')}`,
    typeof minimum === 'number' && maximum === undefined && `at least ${minimum}`,
    typeof maxLength === 'number' && `${minLength === 1 ? '1 to' : 'at most'} ${maxLength.toLocaleString('en-US')} characters`,
    typeof maxItems === 'number' && `at most ${maxItems}`,
    usual !== undefined && `default ${JSON.stringify(usual)}`,
  ]
  return said.filter(Boolean).join('; ')
}

type Field = { name: string; schema: JsonSchema; note: string | null; description: string | undefined }

const fieldList = (fields: readonly Field[]): Html =>
  html`<dl class="fields">
    ${fields.map(({ name, schema, note, description }) => {
      const bounds = boundsOf(schema)
      return html`<div>
        <dt><code>${name}</code> <span>${kindOf(schema)}</span>${note !== null && html` <em>${note}</em>`}</dt>
        <dd>${description !== undefined && prose(description)}${bounds !== '' && html` <span>${bounds}</span>`}${nested(schema)}</dd>
      </div>`
    })}
  </dl>`

/** Fields of an object without its own name. */
function nested(schema: JsonSchema): Html | null {
  const inner = [schema, schema.items, ...(schema.anyOf ?? [])].find((each) => each?.properties)
  return inner ? fieldsOf(inner, 'answer') : null
}

/** An object's fields: an answer has all of them unless marked as optional; a body may omit all except the required ones. */
export function fieldsOf({ properties = {}, required = [] }: JsonSchema, of: 'answer' | 'body'): Html {
  const note = (name: string) =>
    of === 'body' ? (required.includes(name) ? 'required' : null) : required.includes(name) ? null : 'may be absent'
  return fieldList(
    Object.entries(properties).map(([name, schema]) => ({ name, schema, note: note(name), description: schema.description })),
  )
}

export const parameterList = (parameters: readonly Parameter[]): Html =>
  fieldList(
    parameters.map(({ name, in: place, required, description, schema }) => ({
      name,
      schema,
      note: required ? 'required' : place === 'header' ? 'header' : null,
      description,
    })),
  )
