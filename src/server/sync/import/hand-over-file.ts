import { openAsBlob } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { importEndpoints, importLine, importLines, importProblem, type ImportProgress } from '../../../contract/import.ts'
import type { HandOverFile } from '../../platform/command-handshake.ts'
import type { ImportResult } from './service.ts'

const authorization = ({ token }: HandOverFile) => ({ authorization: `Bearer ${token}` })

export type HandedOver = {
  files: readonly string[]
  property: string
  user: string | undefined
  onProgress?: (progress: ImportProgress) => void
}

/** Streams files to the running server, which imports them. @throws Error if the server's answer isn't one of ours */
export async function handOverFiles(server: HandOverFile, { files, property, user, onProgress }: HandedOver): Promise<ImportResult> {
  const form = new FormData()
  form.set('property', property)
  if (user !== undefined) form.set('user', user)
  for (const file of files) form.append('file', await openAsBlob(file), path.basename(file))
  const { method, path: place } = importEndpoints.uploadHere
  const headers = { ...authorization(server), accept: importLines }
  const answer = await fetch(server.url + place, { method, body: form, headers })
  if (!answer.ok || !answer.body) return refusedWith(answer.status, await answer.json())
  let pending = ''
  for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
    const lines = (pending + piece).split('\n')
    pending = lines.pop() ?? ''
    for (const text of lines) {
      const line = importLine.parse(JSON.parse(text))
      if ('answer' in line) return { ok: true, answer: line.answer }
      if ('problem' in line) return refusedWith(line.status, line.problem)
      onProgress?.(line.progress)
    }
  }
  throw new Error('The server stopped before the import finished')
}

function refusedWith(status: number, body: unknown): ImportResult {
  const problem = importProblem.safeParse(body)
  if (!problem.success) throw new Error(`The server responded with ${status}`)
  return { ok: false, status: z.literal([400, 401, 403, 404, 409, 413, 429, 502]).catch(400).parse(status), problem: problem.data }
}
