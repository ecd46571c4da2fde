import { openAsBlob } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { importAnswer, importProblem } from '../../../contract/import.ts'
import type { HandOverFile } from '../../platform/hand-over.ts'
import type { ImportResult } from './service.ts'

const endpoint = ({ url }: HandOverFile): string => `${url}/api/import/hand-over`
const authorization = ({ token }: HandOverFile) => ({ authorization: `Bearer ${token}` })

/** Whether the server that wrote the file still runs; a stranger on its port does not know the token. */
export async function isServing(server: HandOverFile): Promise<boolean> {
  try {
    const answer = await fetch(endpoint(server), { headers: authorization(server), signal: AbortSignal.timeout(3000) })
    return answer.status === 204
  } catch {
    return false
  }
}

/** Streams a file to the running server, which imports it. @throws Error when the server does not answer as ours does */
export async function handOverFile(server: HandOverFile, file: string, property: string, user: string | undefined): Promise<ImportResult> {
  const form = new FormData()
  form.set('property', property)
  if (user !== undefined) form.set('user', user)
  form.set('file', await openAsBlob(file), path.basename(file))
  const answer = await fetch(endpoint(server), { method: 'POST', body: form, headers: authorization(server) })
  const body: unknown = await answer.json()
  if (answer.ok) return { ok: true, answer: importAnswer.parse(body) }
  const problem = importProblem.safeParse(body)
  if (!problem.success) throw new Error(`The server answered ${answer.status}`)
  return { ok: false, status: z.literal([400, 401, 403, 404, 409, 413, 429, 502]).catch(400).parse(answer.status), problem: problem.data }
}
