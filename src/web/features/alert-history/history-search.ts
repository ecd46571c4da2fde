/** The filter's options (SPEC §9). */
export const severityChoices = ['all', 'critical', 'warning', 'positive'] as const
export type SeverityChoice = (typeof severityChoices)[number]

export const pageSizes = [25, 50] as const
export type PageSize = (typeof pageSizes)[number]

/** The URL's view state; pages count from 1. */
export type HistorySearch = { severity: SeverityChoice; page: number; size: PageSize }

const longestPage = /^[1-9]\d{0,5}$/

/** Ignores invalid values. */
export function readHistorySearch(params: URLSearchParams): HistorySearch {
  const page = params.get('page') ?? ''
  return {
    severity: severityChoices.find((choice) => choice === params.get('severity')) ?? 'all',
    page: longestPage.test(page) ? Number(page) : 1,
    size: pageSizes.find((size) => String(size) === params.get('size')) ?? pageSizes[0],
  }
}

/** A view's URL, without default values. */
export function writeHistorySearch({ severity, page, size }: HistorySearch): URLSearchParams {
  return new URLSearchParams([
    ...(severity === 'all' ? [] : [['severity', severity]]),
    ...(page === 1 ? [] : [['page', String(page)]]),
    ...(size === pageSizes[0] ? [] : [['size', String(size)]]),
  ])
}

export const pagesOf = (total: number, size: PageSize): number => Math.max(1, Math.ceil(total / size))
