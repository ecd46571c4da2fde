/** Maximum number of recipients of one scheduled report on any plan: a mailing list isn't a report. */
export const mostRecipients = 1_000
/** Maximum number of report emails per account per day, whatever its plan and schedules. */
export const reportMailsADay = 2_000
/** Maximum number of addresses per day that one account may ask for consent to its reports. */
export const addressesAskedADay = 100
/** Maximum number of reports per day that one account creates manually; scheduled ones don't count. */
export const reportsMadeADay = 100
/** How many report files are kept per account (the newest), and their maximum total in bytes. */
export const reportFilesKept = 500
export const reportBytesKept = 1024 ** 3
/** How many files of shared links are kept per account, and their maximum total in bytes; others are rendered on request. */
export const sharedFilesKept = 50
export const sharedBytesKept = 100 * 1024 ** 2
