import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { deliverySettings, deliverySettingsAnswer, deliverySettingsChange } from '../../contract/delivery.ts'
import type { Person } from '../accounts/service.ts'
import type { DeliveryService } from './service.ts'

export type DeliveryRoutesDeps = { delivery: DeliveryService; requirePerson(request: FastifyRequest): Promise<Person> }

/** `/api/delivery-settings` (SPEC §7): `POST` where none exist, `PATCH` where they do. */
export const deliveryRoutes =
  ({ delivery, requirePerson }: DeliveryRoutesDeps): FastifyPluginAsyncZod =>
  async (app) => {
    const path = '/api/delivery-settings'
    app.get(path, { schema: { response: { 200: deliverySettingsAnswer } } }, async (request) =>
      delivery.inForce(await requirePerson(request)),
    )

    app.post(path, { schema: { body: deliverySettingsChange, response: { 201: deliverySettings } } }, async (request, reply) => {
      const settings = await delivery.create(await requirePerson(request), request.body)
      return reply.status(201).send(settings)
    })

    app.patch(path, { schema: { body: deliverySettingsChange, response: { 200: deliverySettings } } }, async (request) =>
      delivery.change(await requirePerson(request), request.body),
    )
  }
