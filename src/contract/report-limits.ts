/** Most recipients of one scheduled report, whatever the plan: a mailing list is no report. */
export const mostRecipients = 1_000
/** Most mails with reports that one account sends a day, whatever its plan and schedules. */
export const reportMailsADay = 2_000
/** Most addresses a day that one account may have asked whether they want its reports. */
export const addressesAskedADay = 100
