import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { attachment } from '../platform/file-names.ts'
import type { ReportFile } from './files.ts'

/** Options of a route that sends a file: it reads all there is. */
export const download = { limit: { max: 30 } }

/** Sends a file as fast as it is taken; when nobody takes it any more, no more of it is made. */
export const sendFile = (reply: FastifyReply, { fileName, pieces }: ReportFile): FastifyReply =>
  reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', attachment(fileName))
    .send(Readable.from(pieces, { highWaterMark: 1 }))
