/** Most recipients of one scheduled report, whatever the plan: a mailing list is no report. */
export const mostRecipients = 1_000
