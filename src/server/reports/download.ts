import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { attachment } from '../platform/file-names.ts'
import type { ReportFile } from './files.ts'

/** Options of a route that sends a file: it reads all there is, and HEAD would read it to send none. */
export const downloadRoute = { config: { rateLimit: { max: 30, timeWindow: '1 minute' } }, exposeHeadRoute: false }

/** Sends a file as fast as it is taken; when nobody takes it any more, no more of it is made. */
export const sendFile = (reply: FastifyReply, { fileName, pieces }: ReportFile): FastifyReply =>
  reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', attachment(fileName))
    .send(Readable.from(pieces, { highWaterMark: 1 }))
