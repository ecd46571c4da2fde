import type { FastifyPluginAsync } from 'fastify'
import { deliveryEndpoints as endpoints } from '../../contract/delivery/delivery.ts'
import { serve } from '../accounts/service.ts'
import type { DeliveryService } from './service.ts'

/** When and how to send messages. */
export const deliveryRoutes =
  ({ delivery }: { delivery: DeliveryService }): FastifyPluginAsync =>
  async (app) => {
    serve(app, endpoints.read, ({ person }) => delivery.inForce(person))
    serve(app, endpoints.create, ({ person, body }) => delivery.create(person, body))
    serve(app, endpoints.change, ({ person, body }) => delivery.change(person, body))
  }
