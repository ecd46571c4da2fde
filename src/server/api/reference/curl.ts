import { changesData, type Operation } from '../operation.ts'

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
