/** Most recipients of one scheduled report, whatever the plan: a mailing list is no report. */
export const mostRecipients = 1_000
/** Most mails with reports that one account sends a day, whatever its plan and schedules. */
export const reportMailsADay = 2_000
/** Most addresses a day that one account may have asked whether they want its reports. */
export const addressesAskedADay = 100
/** Most reports that one account has made by hand in a day; those of schedules do not count. */
export const reportsMadeADay = 100
/** Most files of reports that are kept for one account, the newest, and most bytes that they may have together. */
export const reportFilesKept = 500
export const reportBytesKept = 1024 ** 3
/** Most files of shared links that are kept for one account, and most bytes of them; others are drawn when somebody asks. */
export const sharedFilesKept = 50
export const sharedBytesKept = 100 * 1024 ** 2
