import type { OpenApiDocument } from '../openapi/document.ts'
import type { Parameter } from '../openapi/parameters.ts'
import { apiTags, type Operation } from '../operation.ts'
import { curlOf } from './curl.ts'
import { fieldsOf, objectAnchor, objectLink, parameterList } from './fields.ts'
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
  const found = parameters[address.split('/').at(-1) ?? '']
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
