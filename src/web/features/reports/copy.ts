export const reportKinds = [
  { value: 'month', label: 'Month' },
  { value: 'week', label: 'Week' },
] as const

/** Shown to people whose plan lacks the feature, by part. */
export const lockedWords = {
  report: {
    title: 'The full report',
    holds: [
      'Rising and falling pages and keywords',
      'Keyword opportunities',
      "The month's alerts and how they ended",
      'Weekly and monthly reports',
      'PDFs in A4 or US Letter',
      'Scheduled emails',
    ],
  },
  schedules: {
    title: 'Reports by email',
    holds: [
      "A PDF every week or month, as soon as Google's data is final",
      'Up to 5 recipients, or 1,000 on Agency',
      'Send one anytime with one click',
      'Rising and falling pages and keywords, opportunities and alerts',
    ],
  },
  clients: {
    title: 'Reports for clients',
    holds: [
      'Group properties by client',
      'One report for all of them, with a table of contents',
      'Schedules and links for each client',
      'Up to 1,000 recipients per report',
    ],
  },
  brand: {
    title: 'Reports under your own brand',
    holds: [
      'Your logo, name and color on pages, PDFs and emails',
      'Sent under your name, with replies to your address',
      'Your clients never see Ranklark',
    ],
  },
  links: {
    title: 'Links to reports',
    holds: [
      'A report as a web page that anyone with the link can view',
      'Links expire after 7, 30 or 90 days',
      'See how often links were opened, and revoke them anytime',
    ],
  },
  pdfs: {
    title: 'PDF reports',
    holds: ['A4 and US Letter', 'Charts that are sharp at any size', 'Keywords in any script'],
  },
} as const satisfies Record<string, { title: string; holds: readonly string[] }>
