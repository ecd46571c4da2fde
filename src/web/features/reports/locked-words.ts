/** What people without it read of each part. */
export const lockedWords = {
  report: {
    title: 'The whole report',
    holds: [
      'Rising and falling pages and keywords',
      'Opportunities: keywords worth working on',
      'Alerts of the month, and what became of them',
      'Weekly reports beside the monthly ones',
      'As PDF, in A4 or Letter',
      'By mail on a schedule',
    ],
  },
  schedules: {
    title: 'Reports by mail',
    holds: [
      'A PDF each week or month, as soon as its last day is complete at Google',
      'For up to 5 recipients, or as many as you like on Agency',
      'Sent at any time with one click',
      'Rising and falling pages and keywords, opportunities and alerts in each',
    ],
  },
  clients: {
    title: 'Reports for clients',
    holds: [
      'A set of properties for each client',
      'One report about all of them, with a table of contents',
      'Schedules and links of their own',
      'As many recipients as you like',
    ],
  },
  brand: {
    title: 'Reports under your own brand',
    holds: [
      'Your logo, name and colour on pages, PDFs and mails',
      'Your name as the sender, answers to your address',
      'No trace of Ranklark for your clients',
    ],
  },
  links: {
    title: 'Links to reports',
    holds: [
      'A report as a web page for whoever has its link, without an account',
      'Links end by themselves after 7, 30 or 90 days',
      'See how often they were opened, withdraw them at any time',
    ],
  },
  pdfs: {
    title: 'Reports as PDF',
    holds: ['A4 and Letter', 'Charts that stay sharp at any size', 'Names in every script, as people search'],
  },
} as const satisfies Record<string, { title: string; holds: readonly string[] }>
