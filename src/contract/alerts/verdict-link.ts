import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { alertVerdict, newVerdict } from './alerts.ts'

/** What an email's reader is asked to rate. */
export const verdictByLink = newVerdict.extend({ title: z.string(), property: z.string(), at: z.iso.datetime().nullable() })
export type VerdictByLink = z.infer<typeof verdictByLink>
/** The verdicts a link may give; it can't remove one. */
const linkedVerdict = z.object({ verdict: alertVerdict })

const ofMails = {
  path: '/api/alert-verdict',
  access: { anybody: 'the link in the email identifies one alert and opens nothing else' },
  query: z.object({ token: z.string().min(1).max(2048) }),
  answer: verdictByLink,
} as const
/** The alert behind an emailed link, and its reader's verdict. Reading changes nothing. */
export const verdictLinkEndpoints = {
  read: endpoint({ ...ofMails, method: 'GET' }),
  rate: endpoint({ ...ofMails, method: 'POST', body: linkedVerdict }),
}
