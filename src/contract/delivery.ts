import { z } from 'zod'

/** How often alerts are sent together; which ones a plan allows is in the catalogue. */
export const deliveryFrequency = z.enum(['instant', 'daily', 'weekly'])
export type DeliveryFrequency = z.infer<typeof deliveryFrequency>

const switches = {
  emailEnabled: z.boolean(),
  criticalAlerts: z.boolean(),
  warningAlerts: z.boolean(),
  positiveAlerts: z.boolean(),
  slackEnabled: z.boolean(),
}

/** `GET /api/delivery-settings`; null until somebody has saved some. */
export const deliverySettings = z.object({ id: z.string(), ...switches, frequency: deliveryFrequency })
export type DeliverySettings = z.infer<typeof deliverySettings>
export const deliverySettingsAnswer = deliverySettings.nullable()

/** `PATCH`: the changed fields. `POST`: the same where none exist yet; what is left out takes its default. */
export const deliverySettingsChange = deliverySettings.omit({ id: true }).partial()
export type DeliverySettingsChange = z.infer<typeof deliverySettingsChange>
