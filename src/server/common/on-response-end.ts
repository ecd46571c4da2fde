import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const answersOn = new WeakMap<Socket, Set<() => void>>()
/** What is called when an answer is over. All of it shares one listener: an answer has enough others. */
const waiting = new WeakMap<ServerResponse, Set<() => void>>()

/**
 * Calls `then` once, when an answer has been sent or can't be anymore; at once if that is so already. An answer's own `close` isn't enough:
 * of requests sent together over one connection (pipelining), Node tells only the first answer that the connection is gone.
 */
export function onResponseEnd(answer: ServerResponse, then: () => void): void {
  const { socket } = answer.req
  if (answer.destroyed || socket.destroyed) return then()
  const known = waiting.get(answer)
  if (known) return void known.add(then)
  const all = new Set([then])
  waiting.set(answer, all)
  const answers = answersOn.get(socket) ?? new Set()
  if (!answersOn.has(socket)) {
    answersOn.set(socket, answers)
    socket.once('close', () => {
      for (const over of answers) over()
    })
  }
  const over = (): void => {
    if (!answers.delete(over)) return
    answer.off('close', over)
    waiting.delete(answer)
    for (const each of all) each()
  }
  answers.add(over)
  answer.once('close', over)
}
