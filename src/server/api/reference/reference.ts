import type { OpenApiDocument } from '../openapi/document.ts'
import type { Parameter } from '../openapi/parameters.ts'
import type { JsonSchema } from '../openapi/schemas.ts'
import { apiTags, changesData, type Operation } from '../operation.ts'
import { codeBlock, type Html, html, prose } from './html.ts'

const tagAnchor = (tag: string): string => `about-${tag.toLowerCase()}`

/** The table of contents next to the page. */
export const contentsOf = (operations: readonly Operation[]): Html =>
  html`${apiTags.map(
      (tag) =>
        html`<li>
          <a href="#${tagAnchor(tag)}">${tag}</a>
          <ul>
            ${operationsOf(operations, tag).map(({ id, summary }) => html`<li><a href="#${id}">${summary}</a></li>`)}
          </ul>
        </li>`,
    )}
    <li><a href="#objects">Objects</a></li>`

const operationsOf = (operations: readonly Operation[], tag: string): readonly Operation[] => operations.filter((each) => each.tag === tag)

/** Every operation with an example request and answer, and the objects in the answers. */
export function referenceOf(operations: readonly Operation[], document: OpenApiDocument): Html {
  const [{ url } = { url: '' }] = document.servers
  return html`${apiTags.map(
      (tag) =>
        html`<section aria-labelledby="${tagAnchor(tag)}">
          <h2 id="${tagAnchor(tag)}">${tag}</h2>
          ${operationsOf(operations, tag).map((operation) => described(operation, document, url))}
        </section>`,
    )}
    <section aria-labelledby="objects">
      <h2 id="objects">Objects</h2>
      ${objectsOf(document)}
    </section>`
}

function described(operation: Operation, { paths, components }: OpenApiDocument, apiUrl: string): Html {
  const { id, method, path, summary, description, scope, answers } = operation
  const written = paths[path]?.[lowerCase(method)]
  if (!written) throw new Error(`The document lacks ${id}`)
  const parameters = written.parameters.map((each): Parameter => ('$ref' in each ? parameterAt(components.parameters, each.$ref) : each))
  const body = written.requestBody?.content['application/json']?.schema.$ref
  const answered = Object.entries(written.responses).find(([status]) => status.startsWith('2'))
  const response = answered && 'description' in answered[1] ? answered[1] : null
  const json = response?.content?.['application/json']
  return html`<article class="operation" aria-labelledby="${id}">
    <h3 id="${id}"><a href="#${id}">${summary}</a></h3>
    <p class="route">
      <span class="method">${method}</span> <code>${path}</code>${scope === 'write' && html` <span class="scope">write key</span>`}
    </p>
    <p>${prose(description)}</p>
    ${
      parameters.length > 0 &&
      html`<h4>Parameters</h4>
        ${parameterList(parameters)}`
    }
    ${body !== undefined && html`<h4>Body: ${objectLink(body)}</h4>`} ${codeBlock('Request', curlOf(operation, apiUrl))}
    <p>
      Returns
      <code>${answers.status}</code>${answerWords(operation)}${json?.schema.$ref !== undefined && html`: ${objectLink(json.schema.$ref)}`}.
      Errors: ${problemStatuses(written.responses)}.
    </p>
    ${json?.example !== undefined && codeBlock('Response', JSON.stringify(json.example, null, 2))}
  </article>`
}

const lowerCase = (method: Operation['method']) => method.toLowerCase() as Lowercase<Operation['method']>

const answerWords = ({ answers }: Operation): string => ({ json: '', csv: ' with a CSV file', nothing: ' without a body' })[answers.kind]

function problemStatuses(responses: Record<string, unknown>): Html {
  const statuses = Object.keys(responses).filter((status) => Number(status) >= 400)
  return html`${statuses.map((status, index) => html`${index > 0 && ', '}<code>${status}</code>`)}`
}

function parameterAt(parameters: Record<string, Parameter>, address: string): Parameter {
  const found = parameters[nameOf(address)]
  if (!found) throw new Error(`The document lacks ${address}`)
  return found
}

/** Answers in the operations' order first; bodies may omit fields. */
function objectsOf({ paths, components }: OpenApiDocument): readonly Html[] {
  const bodies = Object.values(paths)
    .flatMap((path) => Object.values(path))
    .map((operation) => operation.requestBody?.content['application/json']?.schema.$ref?.split('/').at(-1))
  return Object.entries(components.schemas).map(
    ([name, schema]) =>
      html`<div class="object">
        <h3 id="${objectAnchor(name)}"><a href="#${objectAnchor(name)}">${name}</a></h3>
        ${fieldsOf(schema, bodies.includes(name) ? 'body' : 'answer')}
      </div>`,
  )
}

/** The URL of an operation's example, relative to the API's. */
export function exampleAddress({ path, example: { params = {}, query = {} } }: Pick<Operation, 'path' | 'example'>): string {
  const address = path.replaceAll(/\{(\w+)\}/g, (_part, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
  return search === '' ? address : `${address}?${search}`
}

const quotedForShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** The example as typed into a terminal. @param apiUrl the API's URL */
export function curlOf(operation: Operation, apiUrl: string): string {
  const { method, answers, example } = operation
  const address = `${apiUrl}${exampleAddress(operation)}`
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quotedForShell(address)}`,
    '-H "Authorization: Bearer $RANKLARK_KEY"',
    ...(changesData(operation) ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(example.body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quotedForShell(JSON.stringify(example.body))}`]),
    ...(answers.kind === 'csv' ? ['-OJ'] : []),
  ]
  return lines.join(' \\\n  ')
}

const objectAnchor = (name: string): string => `object-${name}`
const nameOf = (address: string): string => address.split('/').at(-1) ?? ''

const objectLink = (address: string): Html => html`<a href="#${objectAnchor(nameOf(address))}">${nameOf(address)}</a>`

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
function fieldsOf({ properties = {}, required = [] }: JsonSchema, of: 'answer' | 'body'): Html {
  const note = (name: string) =>
    of === 'body' ? (required.includes(name) ? 'required' : null) : required.includes(name) ? null : 'may be absent'
  return fieldList(
    Object.entries(properties).map(([name, schema]) => ({ name, schema, note: note(name), description: schema.description })),
  )
}

const parameterList = (parameters: readonly Parameter[]): Html =>
  fieldList(
    parameters.map(({ name, in: place, required, description, schema }) => ({
      name,
      schema,
      note: required ? 'required' : place === 'header' ? 'header' : null,
      description,
    })),
  )
