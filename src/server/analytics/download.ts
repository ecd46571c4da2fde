import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { attachment } from '../platform/file-names.ts'
import type { ReportFile } from './files.ts'

/** Route options for a file, which reads everything there is. */
export const download = { limit: { max: 30 } }

/** Sends a file as fast as it is read; if the reader goes away, production stops. */
export const sendFile = (reply: FastifyReply, { fileName, pieces }: ReportFile): FastifyReply =>
  reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', attachment(fileName))
    .send(Readable.from(pieces, { highWaterMark: 1 }))
