import { expect, test } from 'vitest'
import { scheduleProblem, type ScheduleState } from './schedule-problem.ts'

const well: ScheduleState = { plan: 'agency', hasMail: true, recipients: 7, waiting: 3, isClient: true, title: 'Ann', monitored: 2 }

test.each([
  [{}, null],
  [{ plan: 'pro', isClient: false, recipients: 5 }, null],
  [{ hasMail: false }, "This installation can't send email. Your administrator can turn email on with SMTP_URL and MAIL_FROM."],
  [{ plan: 'pro' }, "Paused: your Pro plan doesn't include white-label reports. Available on the Agency plan."],
  [{ plan: 'pro', isClient: false }, 'Paused: your Pro plan allows up to 5 recipients per report.'],
  [
    { plan: 'free', isClient: false },
    'Paused: your Free plan includes the monthly summary only. Full reports are available on Pro and Agency plans.',
  ],
  [{ waiting: 7 }, 'Waiting for the recipients to confirm using the links we emailed them.'],
  [{ isClient: false, recipients: 1, waiting: 1 }, 'Waiting for the recipient to confirm using the link we emailed them.'],
  [{ recipients: 0 }, 'Every recipient has unsubscribed. Add another one to resume.'],
  [
    { monitored: null, isClient: false, title: 'a.example' },
    "a.example belongs to a Google account that isn't connected. Reconnect it to resume.",
  ],
  [{ monitored: 0 }, 'None of the properties in Ann are monitored right now. Choose others, or monitor them again.'],
  [{ monitored: 0, isClient: false, title: 'a.example' }, "a.example isn't monitored right now. Monitor it again to resume."],
] as const)('%j: %s', (change, problem) => {
  expect(scheduleProblem({ ...well, ...change })).toBe(problem)
})
