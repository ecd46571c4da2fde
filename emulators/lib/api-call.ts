import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { give } from './answer.ts'
import type { CallLog } from './call-log.ts'
import { about, type FaultPlan } from './faults.ts'
import { type Call, type Reply, send } from './http.ts'

/** A reply, and if it is a refusal, the reason. */
export interface Outcome {
  readonly reply: Reply
  readonly problem?: string
}

/** Answers a call of the emulated service: logs it, and fails as requested by tests. */
export async function answerCall(
  world: { readonly faults: FaultPlan; readonly log: CallLog },
  call: Call,
  response: ServerResponse,
  /** What faults are matched against. */
  subject: string,
  carryOut: () => Outcome,
): Promise<void> {
  const { method, url, headers, body } = call
  const entry = { at: new Date().toISOString(), method, path: url.pathname, headers, body, status: 0, problem: null as string | null }
  world.log.add(entry)
  if (world.faults.delay > 0) await pause(world.faults.delay)
  const fault = world.faults.take(about(subject))
  if (fault) {
    entry.problem = fault.executed ? 'a fault, carried out' : 'a fault'
    if (fault.executed) carryOut()
    entry.status = await give(response, fault, 500)
    return
  }
  const { reply, problem } = carryOut()
  entry.status = reply.status
  entry.problem = problem ?? null
  await send(response, call, reply)
}
