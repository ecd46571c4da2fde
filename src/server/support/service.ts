import type { Diagnostic, Support, SupportMessage } from '../../contract/support.ts'
import { plans } from '../../core/billing/plans.ts'
import { counted } from '../../core/words.ts'
import type { AccountsService, Person, ReportProperty } from '../accounts/service.ts'
import type { AlertsService } from '../alerts/service.ts'
import { Refusal } from '../common/errors.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { SitesService } from '../sites/service.ts'
import type { SyncService } from '../sync/service.ts'

type DiagnosticsDeps = { sites: SitesService; sync: SyncService; alerts: AlertsService; version: string }

export type SupportDeps = DiagnosticsDeps & {
  mailer: Mailer
  accounts: Pick<AccountsService, 'note'>
  /** The support address; undefined if none is set. */
  supportEmail: string | undefined
  hasMail: boolean
}

/** Who asks, about which property, from which browser. */
export type Asking = { person: Person; property: ReportProperty | null; browser: string | undefined }

/** What the user's plan promises. */
function answeredWithin({ plan }: Person): string | null {
  if (plan === null) return null
  const days = plans[plan].supportDays
  return `within ${days} business day${days === 1 ? '' : 's'}`
}

export function createSupportService(deps: SupportDeps) {
  const { mailer, accounts, supportEmail, hasMail } = deps

  const problem =
    supportEmail === undefined
      ? 'This installation has no support address (SUPPORT_EMAIL). Ask your administrator, or see the Help Center.'
      : hasMail
        ? null
        : `This installation can't send email. Write to ${supportEmail} instead.`

  return {
    async offer(asking: Asking): Promise<Support> {
      const { email, emailVerified } = asking.person
      const answered = answeredWithin(asking.person)
      return { problem, answered, email, copied: emailVerified, diagnostics: await diagnosticsOf(deps, asking) }
    },

    /**
     * Sends a message to support, who reply to the user's address, and a receipt to the user if the address is confirmed: nobody may have
     * their own words mailed to others.
     * @throws Refusal 409 if there is nobody to write to
     */
    async send(asking: Asking, { subject, message, diagnostics }: Omit<SupportMessage, 'property'>): Promise<void> {
      if (supportEmail === undefined || problem !== null) throw new Refusal(409, problem ?? '')
      const { username, email, emailVerified } = asking.person
      const known = await diagnosticsOf(deps, asking)
      const chosen = known.filter(({ id }) => diagnostics.includes(id)).map(({ label, value }) => ({ label, value }))
      const answered = answeredWithin(asking.person)
      const about = { username, subject, message, diagnostics: chosen, answered }
      await mailer.send({ kind: 'support-request', to: supportEmail, replyTo: email, confirmed: emailVerified, ...about })
      await mailer.send({ kind: 'support-received', ...about }, { account: asking.person })
      await accounts.note(asking.person.id, { kind: 'support-asked', details: {} })
    },
  }
}
export type SupportService = ReturnType<typeof createSupportService>

/** The useful length of a browser's user agent. */
const longestBrowser = 200

/** What support would ask first. No figures, no names of pages or queries, nothing secret. */
async function diagnosticsOf(
  { sites, sync, alerts, version }: DiagnosticsDeps,
  about: { person: Person; property: ReportProperty | null; browser: string | undefined },
): Promise<Diagnostic[]> {
  const { person, property, browser } = about
  const [all, [status], open] = await Promise.all([
    sites.list(person.id),
    property ? sync.statuses(person.id, property.name) : [],
    alerts.count(person.id, { propertyId: property?.id ?? null, state: 'open' }),
  ])
  const monitored = all.filter((site) => site.monitored).length
  const { plan, siteLimit } = person
  return [
    ...(plan === null ? [] : [{ id: 'plan', label: 'Plan', value: plans[plan].name } as const]),
    { id: 'sites', label: 'Sites', value: `${monitored}${siteLimit === null ? '' : ` of ${siteLimit}`} monitored, ${all.length} in total` },
    ...(property ? [{ id: 'property', label: 'Property', value: property.name } as const] : []),
    ...(status
      ? [
          {
            id: 'freshness',
            label: 'Search data',
            value: [
              status.state === 'ok' ? 'connected' : `connection: ${status.state.replaceAll('_', ' ')}`,
              status.completeThrough ? `complete through ${status.completeThrough}` : 'no complete day yet',
              ...(status.daysLeft > 0 ? [`${counted(status.daysLeft, 'day')} left to import`] : []),
            ].join(', '),
          } as const,
        ]
      : []),
    { id: 'alerts', label: property ? 'Open alerts for the property' : 'Open alerts', value: String(open) },
    { id: 'version', label: 'Version', value: `Ranklark ${version}` },
    ...(browser ? [{ id: 'browser', label: 'Browser', value: browser.slice(0, longestBrowser) } as const] : []),
  ]
}
