import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../../../test/support/until.ts'
import { onResponseEnd } from './on-response-end.ts'

/** A server that leaves its answers to the test, and the requests to it that are over. */
async function serve() {
  const answers = new Map<string, ServerResponse>()
  const over: string[] = []
  const server = createServer((request, answer) => {
    const path = request.url ?? ''
    answers.set(path, answer)
    onResponseEnd(answer, () => over.push(path))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {}).resume()
  onTestFinished(() => void socket.destroy())
  const send = async (...paths: string[]) => {
    socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''))
    await until(
      async () => answers.size,
      (count) => count >= paths.length,
    )
  }
  const areOver = (...paths: string[]) =>
    until(
      async () => over.join(' '),
      (found) => found === paths.join(' '),
    )
  return { answers, over, socket, send, areOver }
}

test('an answer is over when it has been sent, once, and the connection goes on', async () => {
  const { answers, over, socket, send, areOver } = await serve()
  await send('/a', '/b')
  answers.get('/a')?.end('done')
  await areOver('/a')
  answers.get('/b')?.end('done')
  await areOver('/a', '/b')
  socket.destroy()
  await new Promise((closed) => socket.once('close', closed))
  expect(over).toEqual(['/a', '/b'])
})

test('all answers of a connection that breaks off are over, including those not begun yet', async () => {
  const { answers, over, socket, send, areOver } = await serve()
  await send('/a', '/b', '/c')
  socket.destroy()
  await areOver('/a', '/b', '/c')
  const late = answers.get('/c')
  if (late) onResponseEnd(late, () => over.push('late'))
  expect(over.at(-1)).toBe('late')
})
