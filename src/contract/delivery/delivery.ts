import { z } from 'zod'
import { orElse, textUpTo } from '../common.ts'
import { signedIn } from '../endpoint.ts'

/** How often alerts are sent; the catalog lists which ones a plan allows. */
export const deliveryFrequency = z.enum(['instant', 'daily', 'weekly'])
export type DeliveryFrequency = z.infer<typeof deliveryFrequency>

const switches = {
  emailEnabled: z.boolean(),
  criticalAlerts: z.boolean(),
  warningAlerts: z.boolean(),
  positiveAlerts: z.boolean(),
  slackEnabled: z.boolean(),
  smsEnabled: z.boolean(),
  webhookEnabled: z.boolean(),
}

const hour = z.number().int('Choose a whole hour').min(0, 'Choose an hour from 0 to 23').max(23, 'Choose an hour from 0 to 23')

const wrongZone = 'Choose a time zone such as Europe/Berlin'
/** An IANA time zone name. */
export const timeZone = textUpTo(64, wrongZone).refine(isTimeZone, wrongZone)

/** When messages arrive, in the person's own time zone. */
const times = {
  timeZone,
  digestHour: hour,
  /** For the weekly digest: 1 is Monday, 7 Sunday. */
  digestWeekday: z.number().int().min(1).max(7),
  /** Sends a digest even if nothing happened, with how the sites did. */
  digestWhenQuiet: z.boolean(),
  /** Nothing arrives from the first hour until the second; null for no quiet hours. */
  quietHours: z
    .object({ from: hour, until: hour })
    .refine(({ from, until }) => from !== until, 'Quiet hours must end at a different time than they start')
    .nullable(),
}

/** Delivery settings for people who haven't chosen: SPEC §9; anything it doesn't name is off, or set to what most people have. */
export const usualDelivery = {
  emailEnabled: true,
  criticalAlerts: true,
  warningAlerts: true,
  positiveAlerts: false,
  slackEnabled: false,
  smsEnabled: false,
  webhookEnabled: false,
  timeZone: 'UTC',
  digestHour: 8,
  digestWeekday: 1,
  digestWhenQuiet: true,
  quietHours: null,
}

const settings = z.object({ ...switches, frequency: deliveryFrequency, ...times })

/** `GET /api/delivery-settings`; null until somebody saves some. Settings that the plan doesn't include are inactive. */
export const deliverySettings = z.object({
  id: z.string(),
  emailEnabled: orElse(switches.emailEnabled, usualDelivery.emailEnabled),
  criticalAlerts: orElse(switches.criticalAlerts, usualDelivery.criticalAlerts),
  warningAlerts: orElse(switches.warningAlerts, usualDelivery.warningAlerts),
  positiveAlerts: orElse(switches.positiveAlerts, usualDelivery.positiveAlerts),
  slackEnabled: orElse(switches.slackEnabled, usualDelivery.slackEnabled),
  smsEnabled: orElse(switches.smsEnabled, usualDelivery.smsEnabled),
  webhookEnabled: orElse(switches.webhookEnabled, usualDelivery.webhookEnabled),
  frequency: orElse(deliveryFrequency, 'weekly'),
  timeZone: orElse(times.timeZone, usualDelivery.timeZone),
  digestHour: orElse(times.digestHour, usualDelivery.digestHour),
  digestWeekday: orElse(times.digestWeekday, usualDelivery.digestWeekday),
  digestWhenQuiet: orElse(times.digestWhenQuiet, usualDelivery.digestWhenQuiet),
  quietHours: orElse(times.quietHours, usualDelivery.quietHours),
  /** The stored time zone if it isn't one: times are in UTC until another is chosen. */
  unknownTimeZone: z.string().optional(),
})
export type DeliverySettings = z.infer<typeof deliverySettings>
export const deliverySettingsAnswer = deliverySettings.nullable()

/** The changed fields; if no settings exist yet, the others take their defaults. */
export const deliverySettingsChange = settings.partial()
export type DeliverySettingsChange = z.infer<typeof deliverySettingsChange>

const path = '/api/delivery-settings'
/** `create` if none exist, `change` if they do (SPEC §7). */
export const deliveryEndpoints = {
  read: signedIn.get(path, { answer: deliverySettingsAnswer }),
  create: signedIn.post(path, { body: deliverySettingsChange, answer: deliverySettings, status: 201 }),
  change: signedIn.patch(path, { body: deliverySettingsChange, answer: deliverySettings }),
}

/** Requires a name: anything starting with another character is an offset, and browsers support some that the digest scheduler doesn't. */
function isTimeZone(name: string): boolean {
  try {
    return /^[a-z]/i.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
