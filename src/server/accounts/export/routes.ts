import type { FastifyPluginAsync } from 'fastify'
import { userEndpoints } from '../../../contract/account/profile.ts'
import { attachment } from '../../platform/file-names.ts'
import type { Exporter } from './export.ts'
import { serve } from '../serve.ts'
import type { AccountsService } from '../service.ts'

export type ExportRoutesDeps = { exportOf: Exporter; accounts: Pick<AccountsService, 'note'> }

/** Each export reads everything stored for a person. Counted before the proof of identity that it needs, so by network too. */
const anHour = 5
const refusal = `You've exported your data ${anHour} times in the last hour. Please try again later.`

/** All of the account's data. */
export const exportRoutes =
  ({ exportOf, accounts }: ExportRoutesDeps): FastifyPluginAsync =>
  async (app) => {
    serve(
      app,
      userEndpoints.export,
      async ({ person, reply }) => {
        await accounts.note(person.id, { kind: 'data-exported', details: {} })
        const { fileName, archive } = await exportOf(person)
        return reply.type('application/zip').header('content-disposition', attachment(fileName)).send(archive)
      },
      { limit: { max: anHour, per: '1 hour', refusal } },
    )
  }
