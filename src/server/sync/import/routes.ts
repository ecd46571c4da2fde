import { PassThrough } from 'node:stream'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import {
  importEndpoints,
  type ImportLine,
  importLines,
  importsADay,
  importsADayInAll,
  importProblem,
  type ImportProgress,
} from '../../../contract/import.ts'
import { type AccountsService, type Person, serve } from '../../accounts/service.ts'
import { ProofNeeded, Refusal, storeIsAway } from '../../common/errors.ts'
import { awayStore } from '../../platform/store-outages.ts'
import { acceptForms, type Form, type FormRules, readForm } from './file/form.ts'
import { removeAll } from './receive.ts'
import { ImportRefusal } from './refusal.ts'
import type { ImportResult, ImportService } from './service.ts'
import { createUploadPlaces } from './upload-places.ts'

export type ImportRoutesDeps = {
  imports: ImportService
  attempts: Pick<AccountsService['attempts'], 'count'>
  /** Admits the command line of this machine. @throws Refusal 401 */
  ofThisMachine(request: FastifyRequest): Promise<void>
}

/** Uploads by the signed-in person, and by the command line of this machine. */
export const importRoutes =
  ({ imports, attempts, ofThisMachine }: ImportRoutesDeps): FastifyPluginAsync =>
  async (app) => {
    await acceptForms(app)
    const places = createUploadPlaces()

    serve(
      app,
      importEndpoints.upload,
      async ({ person, ...exchange }) => {
        const leave = places.take(person.id, exchange.request.ip)
        try {
          await attempts.count('import', { account: person.id, address: exchange.request.ip }).catch(tooManyToday)
          const admit = async (property: string) => {
            if (person.session?.isProven !== true && (await imports.showsOthers(person, property))) throw new ProofNeeded()
          }
          return await importForm(imports, exchange, async () => person, { isNew: await imports.isNew(person.id), admit })
        } finally {
          leave()
        }
      },
      { limit: { max: 60 } },
    )

    serve(
      app,
      importEndpoints.uploadHere,
      (exchange) => importForm(imports, exchange, async (form) => ({ id: await imports.findUser(form.user) }), { ofThisMachine: true }),
      {
        ofThisMachine,
      },
    )
  }

function tooManyToday(error: unknown): never {
  if (!(error instanceof Refusal) || error.status !== 429) throw error
  throw new Refusal(
    429,
    `You can make up to ${importsADay} uploads a day from one network and ${importsADayInAll} in all; each can have many files. Upload the rest tomorrow.`,
  )
}

type Exchange = { request: FastifyRequest; reply: FastifyReply }

/** Answered here rather than by the error handler, since a refused file has a line and a file to name. */
async function importForm(
  imports: ImportService,
  exchange: Exchange,
  personOf: (form: Form) => Promise<Person | { id: string }>,
  { ofThisMachine = false, ...rules }: FormRules & { ofThisMachine?: boolean },
): Promise<FastifyReply> {
  const { request, reply } = exchange
  try {
    const form = await readForm(request, imports.dataDir, rules)
    const work = async (onProgress?: OnProgress): Promise<ImportResult> => {
      try {
        const requester = await personOf(form)
        return await imports.importReceived(form.files, {
          userId: requester.id,
          ...('email' in requester && { requester }),
          propertyName: form.property,
          ofThisMachine,
          ...(onProgress && { onProgress }),
        })
      } finally {
        await removeAll(form.files)
      }
    }
    if (request.headers.accept === importLines) return await withProgress(exchange, work)
    const result = await work()
    return result.ok ? reply.send(result.answer) : reply.status(result.status).send(importProblem.parse(result.problem))
  } catch (error) {
    if (error instanceof ImportRefusal) return reply.status(error.status).send(error.problem)
    throw error
  }
}

type OnProgress = (progress: ImportProgress) => void

const progressEveryMs = 1000

/** Sends lines while the import runs, so that neither people nor proxies take it for dead. The last line is the result. */
async function withProgress({ request, reply }: Exchange, work: (onProgress: OnProgress) => Promise<ImportResult>): Promise<FastifyReply> {
  const lines = new PassThrough()
  const write = (line: ImportLine) => void lines.write(`${JSON.stringify(line)}\n`)
  let progress: ImportProgress = { rows: 0, fraction: 0 }
  write({ progress })
  const ticking = setInterval(() => write({ progress }), progressEveryMs)
  void reply.type(importLines).send(lines)
  try {
    const result = await work((latest) => (progress = latest))
    write(result.ok ? { answer: result.answer } : { status: result.status, problem: importProblem.parse(result.problem) })
  } catch (error) {
    write(failure(error, request))
  } finally {
    clearInterval(ticking)
    lines.end()
  }
  return reply
}

/** What `answerError` would send, if the response has already begun. */
function failure(error: unknown, { log, routeOptions }: FastifyRequest): ImportLine {
  if (error instanceof ImportRefusal) return { status: error.status, problem: error.problem }
  if (error instanceof ProofNeeded) return { status: error.status, problem: { message: error.message, code: error.code } }
  if (error instanceof Refusal) return { status: error.status, problem: { message: error.message } }
  log.error({ err: error, route: routeOptions.url }, 'an import failed')
  const away = error instanceof Error ? awayStore(error) : null
  if (away) return { status: 503, problem: { message: storeIsAway[away] } }
  return { status: 500, problem: { message: 'Something went wrong on our side. It has been logged; please try again.' } }
}
