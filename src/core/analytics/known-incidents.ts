import type { Incident } from '../../contract/annotations.ts'
import type { IsoDate, SearchType } from '../../contract/common.ts'

/** Where Google publishes them. */
export const searchStatusUrl = 'https://status.search.google.com'

/**
 * Ranking updates that Google published on its Search Status Dashboard: id, title, and the Pacific days they began and ended. Newest first.
 * The dashboard's feed only has the latest few; these are shown before it is read for the first time, and if it can't be read.
 */
const published: readonly (readonly [id: string, title: string, start: IsoDate, end: IsoDate])[] = [
  ['XhUDXP7A67iHCD2kmbVu', 'September 2026 spam update', '2026-09-24', '2026-10-08'],
  ['LEubPCm2octf2uMqCFKE', 'August 2026 spam update', '2026-08-18', '2026-08-21'],
  ['YUX1peHev5a4fkxLDiUQ', 'June 2026 spam update', '2026-06-24', '2026-06-26'],
  ['wdAXJk6LRRihEjpzEeWE', 'May 2026 core update', '2026-05-21', '2026-06-02'],
  ['7eTbAa2jWdToLkraZj5y', 'March 2026 core update', '2026-03-27', '2026-04-08'],
  ['VbnSXAH4SmEcxPtx4YSD', 'March 2026 spam update', '2026-03-24', '2026-03-25'],
  ['mYbNTqV1ytDc2fA8hUz4', 'February 2026 Discover update', '2026-02-05', '2026-02-27'],
  ['DsirqJ1gpPRgVQeccPRv', 'December 2025 core update', '2025-12-11', '2025-12-29'],
  ['a7Aainy6E9rZsmfq82xt', 'August 2025 spam update', '2025-08-26', '2025-09-22'],
  ['riq1AuqETW46NfBCe5NT', 'June 2025 core update', '2025-06-30', '2025-07-17'],
  ['zpmwuSwifjDjfrVdaZUx', 'March 2025 core update', '2025-03-13', '2025-03-27'],
  ['UUq2WSouY7PhSm8zvtD1', 'December 2024 spam update', '2024-12-19', '2024-12-26'],
  ['V9nDKuo6nWKh2ThBALgA', 'December 2024 core update', '2024-12-12', '2024-12-18'],
  ['G7rp11wqTaTGn6JjiPF3', 'November 2024 core update', '2024-11-11', '2024-12-05'],
  ['gVx6b2o78zke7GrMidGy', 'August 2024 core update', '2024-08-15', '2024-09-03'],
  ['QdUeCQx3LRVbzQ3E7FiD', 'June 2024 spam update', '2024-06-20', '2024-06-27'],
  ['iXz2PJfodvyjaVUeqxZE', 'March 2024 spam update', '2024-03-05', '2024-03-20'],
  ['1jW2F89qC2NxJBWGiKxE', 'March 2024 core update', '2024-03-05', '2024-04-19'],
  ['VqRTcmyQCwfpuYeaVNfn', 'November 2023 reviews update', '2023-11-08', '2023-12-07'],
  ['WtY1CQgfqrr2cjxKbyUk', 'November 2023 core update', '2023-11-02', '2023-11-28'],
  ['VKyoS53ULWzSp8BoDxqk', 'October 2023 core update', '2023-10-05', '2023-10-19'],
  ['NzcEhGMDhbQEdXCS35xL', 'October 2023 spam update', '2023-10-04', '2023-10-20'],
  ['53diuQvcEsgzqXTPBb8p', 'September 2023 helpful content update', '2023-09-14', '2023-09-28'],
  ['nBtYtBeex4GYBbdDS2LX', 'August 2023 core update', '2023-08-22', '2023-09-07'],
  ['5XRfC46rorevFt8yN8iR', 'April 2023 reviews update', '2023-04-12', '2023-04-25'],
  ['Cou8Tr74r7EXNthuEsaG', 'March 2023 core update', '2023-03-15', '2023-03-28'],
  ['NDjZ11MEUJb5i62hy5aN', 'February 2023 product reviews update', '2023-02-21', '2023-03-07'],
  ['CxXUEK28vCKqkNocPhKR', 'December 2022 link spam update', '2022-12-14', '2023-01-12'],
  ['XMdX5PmbMvKW4fv3CRvn', 'December 2022 helpful content update', '2022-12-05', '2023-01-12'],
  ['SAeYuxVSo39HHotQNXHr', 'October 2022 spam update', '2022-10-19', '2022-10-21'],
]

// Marked pure so that the browser, which gets them from the server, doesn't load them.
export const knownIncidents: readonly Incident[] = /* @__PURE__ */ published.map(([id, title, start, end]) => ({
  id,
  title,
  start,
  end,
  url: `${searchStatusUrl}/incidents/${id}`,
}))

/** Google's feed merged with the known ones, newest first. Later readings know more, such as the end. */
export function mergeIncidents(read: readonly Incident[], known: readonly Incident[] = knownIncidents): Incident[] {
  const ids = new Set(read.map(({ id }) => id))
  return [...read, ...known.filter(({ id }) => !ids.has(id))].toSorted((a, b) => (a.start < b.start ? 1 : a.start > b.start ? -1 : 0))
}

/** Incidents active at some time between two days, both included; an undefined day means no limit. With a type, those that may affect it. */
export function incidentsWithin(
  incidents: readonly Incident[],
  from: IsoDate | undefined,
  to: IsoDate | undefined,
  type?: SearchType,
): Incident[] {
  // An update of web search may affect Discover, too, but not the other way round.
  const mayAffect = (title: string) => type === undefined || type === 'discover' || !/\bdiscover\b/i.test(title)
  return incidents.filter(
    ({ title, start, end }) => (to === undefined || start <= to) && (from === undefined || end === null || end >= from) && mayAffect(title),
  )
}
