import { z } from 'zod'
import { authEndpoints } from '../../../src/contract/account/auth.ts'
import { twoFactorEndpoints, userEndpoints } from '../../../src/contract/account/profile.ts'
import { alertConditionEndpoints } from '../../../src/contract/alerts/conditions.ts'
import { alertTemplateEndpoints } from '../../../src/contract/alerts/templates.ts'
import { holidayCountryEndpoints } from '../../../src/contract/alerts/holiday-country.ts'
import { alertEndpoints } from '../../../src/contract/alerts/alerts.ts'
import { verdictLinkEndpoints } from '../../../src/contract/alerts/verdict-link.ts'
import { analyticsEndpoints } from '../../../src/contract/analytics.ts'
import { annotationEndpoints } from '../../../src/contract/annotations.ts'
import { apiKeyEndpoints } from '../../../src/contract/api-keys.ts'
import { auditEndpoints } from '../../../src/contract/audit.ts'
import { billingEndpoints } from '../../../src/contract/billing.ts'
import { brandEndpoints } from '../../../src/contract/brand.ts'
import {
  channelEndpoints,
  channelTestEndpoints,
  disconnectEndpoints,
  unsubscribeEndpoints,
} from '../../../src/contract/delivery/channels.ts'
import { deliveryEndpoints } from '../../../src/contract/delivery/delivery.ts'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { exploreEndpoints } from '../../../src/contract/explore/explore.ts'
import { historyEndpoints } from '../../../src/contract/history.ts'
import { importEndpoints } from '../../../src/contract/import.ts'
import { keywordEndpoints } from '../../../src/contract/keywords.ts'
import { metricsEndpoints } from '../../../src/contract/metrics.ts'
import { pageEndpoints } from '../../../src/contract/pages.ts'
import { periodicReportEndpoints } from '../../../src/contract/reports/periodic.ts'
import {
  reportBrandEndpoints,
  reportClientEndpoints,
  reportRunEndpoints,
  reportScheduleEndpoints,
  reportShareEndpoints,
  sharedReportEndpoints,
} from '../../../src/contract/reports/reports.ts'
import { savedEndpoints } from '../../../src/contract/explore/saved.ts'
import { searchEndpoints } from '../../../src/contract/search.ts'
import { portfolioEndpoints } from '../../../src/contract/portfolio.ts'
import { siteEndpoints } from '../../../src/contract/sites.ts'
import { supportEndpoints } from '../../../src/contract/support.ts'
import { syncEndpoints } from '../../../src/contract/sync.ts'
import { todayEndpoints } from '../../../src/contract/today.ts'
import { webhookLogEndpoints } from '../../../src/contract/delivery/webhook-log.ts'

/** All requests of screens. */
const groups = [
  alertConditionEndpoints,
  alertEndpoints,
  alertTemplateEndpoints,
  analyticsEndpoints,
  annotationEndpoints,
  apiKeyEndpoints,
  auditEndpoints,
  authEndpoints,
  billingEndpoints,
  brandEndpoints,
  channelEndpoints,
  channelTestEndpoints,
  deliveryEndpoints,
  disconnectEndpoints,
  exploreEndpoints,
  historyEndpoints,
  holidayCountryEndpoints,
  importEndpoints,
  keywordEndpoints,
  metricsEndpoints,
  pageEndpoints,
  periodicReportEndpoints,
  portfolioEndpoints,
  reportBrandEndpoints,
  reportClientEndpoints,
  reportRunEndpoints,
  reportScheduleEndpoints,
  reportShareEndpoints,
  savedEndpoints,
  searchEndpoints,
  sharedReportEndpoints,
  siteEndpoints,
  supportEndpoints,
  syncEndpoints,
  todayEndpoints,
  twoFactorEndpoints,
  unsubscribeEndpoints,
  userEndpoints,
  verdictLinkEndpoints,
  webhookLogEndpoints,
] as const

type ValueOf<T> = T extends unknown ? T[keyof T] : never
type Known = ValueOf<(typeof groups)[number]>
type NameOf<E> = E extends Endpoint ? `${E['method']} ${E['path']}` : never

type Answered<E> = E extends { answer: infer A extends z.ZodType } ? z.input<A> : null
type Answers = { [E in Known as NameOf<E>]: Answered<E> }

/** `GET /api/alerts` */
export type AskedRoute = keyof Answers
/** A route's response, by the contract; null for no body, or for a file, for which screen tests only get refusals. */
export type AnswerOf<R extends AskedRoute> = Answers[R]

const schemaOf = ({ answer }: Endpoint): z.ZodType => (answer instanceof z.ZodType ? answer : z.null())
const named = groups.flatMap((group) => Object.values<Endpoint>(group)).map((one) => [`${one.method} ${one.path}`, schemaOf(one)])
export const answerSchemas = Object.fromEntries(named) as Readonly<Record<AskedRoute, z.ZodType>>
