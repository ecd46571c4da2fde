import { expect, test } from 'vitest'
import { scheduleProblem, type ScheduleState } from './schedule-problem.ts'

const well: ScheduleState = { plan: 'agency', hasMail: true, recipients: 7, waiting: 3, isClient: true, title: 'Ann', watched: 2 }

test.each([
  [{}, null],
  [{ plan: 'pro', isClient: false, recipients: 5 }, null],
  [{ hasMail: false }, 'This installation sends no email. Whoever runs it can turn email on with SMTP_URL and MAIL_FROM.'],
  [{ plan: 'pro' }, 'Paused: your Pro plan has no white-label reports. Available on the Agency plan.'],
  [{ plan: 'pro', isClient: false }, 'Paused: your Pro plan sends a report to up to 5 recipients.'],
  [{ plan: 'free', isClient: false }, 'Paused: your Free plan has the monthly summary. Whole reports: available on Pro and Agency plans.'],
  [{ waiting: 7 }, 'Waiting for the recipients to confirm with the link we emailed each of them.'],
  [{ isClient: false, recipients: 1, waiting: 1 }, 'Waiting for the recipient to confirm with the link we emailed them.'],
  [{ recipients: 0 }, 'Every recipient has unsubscribed. Add another one to go on.'],
  [
    { watched: null, isClient: false, title: 'a.example' },
    'a.example belongs to a Google account that is not connected. Connect it again to go on.',
  ],
  [{ watched: 0 }, 'None of the properties of Ann is watched at present. Choose others, or watch them again.'],
  [{ watched: 0, isClient: false, title: 'a.example' }, 'a.example is not watched at present. Watch it again to go on.'],
] as const)('%j: %s', (change, problem) => {
  expect(scheduleProblem({ ...well, ...change })).toBe(problem)
})
